# Gradient norm of the first, a middle and the last layer at every training step, for three runs.
file = data."/02-layer-gradients.csv"
of(run, layer) = strcol(1) eq run ? column(4 + layer) : NaN
set logscale y
set yrange [1e-4:20]
set format y "10^{%T}"
set xlabel "training step"
set xtics 50
unset key
if (terminal eq "svg") set terminal svg size 960,360 font "sans-serif,13" background "white"
set multiplot layout 1,3 margins 0.08,0.99,0.15,0.9 spacing 0.03
set ylabel "gradient norm"
do for [run in "'post-LN' 'post-LN + warm-up' 'pre-LN'"] {
    set title run
    plot file skip 1 using 2:(of(run, 0)) with lines lt 1 title "first layer", \
         "" skip 1 using 2:(of(run, 5)) with lines lt 5 title "sixth", \
         "" skip 1 using 2:(of(run, 11)) with lines lt 2 title "last"
    unset ylabel
    set format y ""
    set key bottom left samplen 1.5
}
unset multiplot

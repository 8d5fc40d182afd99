# Gradient norm of the first, a middle and the last layer during training, for three runs.
file = data."/02-layer-gradients.csv"
of(run, layer) = strcol(1) eq run ? column(4 + layer) : NaN
set logscale xy
set yrange [1e-7:10]
set format y "10^{%T}"
set xlabel "training step"
unset key
if (terminal eq "svg") set terminal svg size 960,380 font "sans-serif,13" background "white"
set multiplot layout 1,3 margins 0.08,0.975,0.15,0.88 spacing 0.035
set ylabel "gradient norm of the second weight"
do for [run in "'post-LN' 'post-LN + warm-up' 'pre-LN'"] {
    set title run
    plot file skip 1 using 2:(of(run, 1)) with lines lt 1 lw 1.3 title "first layer", \
         "" skip 1 using 2:(of(run, 3)) with lines lt 3 lw 1.3 title "third", \
         "" skip 1 using 2:(of(run, 6)) with lines lt 2 lw 1.3 title "sixth, the last"
    unset ylabel
    set format y ""
    set key bottom left samplen 1.5
}
unset multiplot

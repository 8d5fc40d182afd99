# Gradient norm of the first, a middle and the last layer during training, for three runs: geometric means over windows of steps
# that grow by the root of 2; the median of five seeds, and bands from the smallest to the largest.
file = data."/02-layer-gradients-seeds.csv"
of(run, layer, y) = strcol("run") eq run && column("layer") == layer ? y : NaN
set datafile missing NaN
set logscale xy
set yrange [1e-7:10]
set format y "10^{%T}"
set xlabel "training step"
set style fill transparent solid 0.2 noborder
unset key
if (terminal eq "svg") set terminal svg size 960,380 font "sans-serif,13" background "white"
set multiplot layout 1,3 margins 0.08,0.975,0.15,0.88 spacing 0.035
set ylabel "gradient norm of the second weight"
layers = "1 3 6"
styles = "1 3 2"
names = "'first layer' third 'sixth, the last'"
do for [run in "'post-LN' 'post-LN + warm-up' 'pre-LN'"] {
    set title run
    plot for [i=1:3] file using "step":(of(run, word(layers, i) + 0, column("low"))):(column("high")) \
             with filledcurves lt (word(styles, i) + 0) notitle, \
         for [i=1:3] file using "step":(of(run, word(layers, i) + 0, column("median"))) \
             with linespoints lt (word(styles, i) + 0) lw 1.3 title word(names, i)
    unset ylabel
    set format y ""
    set key bottom left samplen 1.5
}
unset multiplot

# Gradient norm of the first, a middle and the last layer during training, for four runs: geometric means over windows of steps
# that grow by the root of 2; the median of five seeds, and bands from the smallest to the largest.
file = data."/layer-gradients-seeds.csv"
of(run, layer, y) = strcol("run") eq run && column("layer") == layer ? y : NaN
set datafile missing NaN
set logscale xy
set yrange [1e-6:10]
set style fill transparent solid 0.2 noborder
unset key
if (terminal eq "svg") set terminal svg size 760,660 font "sans-serif,13" background "white"
set multiplot layout 2,2 margins 0.1,0.975,0.085,0.945 spacing 0.04,0.12
set ylabel "gradient norm of the second weight"
layers = "1 3 6"
colours = "#009E73 #777777 #CC79A7"
points = "9 7 13"
names = "'first layer' third 'sixth, the last'"
panel = 0
do for [run in "'post-LN' 'post-LN + warm-up' 'pre-LN' 'pre-LN + warm-up'"] {
    set title run
    if (panel == 0) { set key bottom left samplen 1.5 } else { unset key }
    if (panel % 2) { unset ylabel; set format y "" } else { set ylabel "gradient norm of the second weight"; set format y "10^{%T}" }
    if (panel > 1) { set xlabel "training step" } else { unset xlabel }
    plot for [i=1:3] file using "step":(of(run, word(layers, i) + 0, column("low"))):(column("high")) \
             with filledcurves lc rgb word(colours, i) notitle, \
         for [i=1:3] file using "step":(of(run, word(layers, i) + 0, column("median"))) \
             with linespoints lc rgb word(colours, i) pt (word(points, i) + 0) ps 0.6 lw 1.3 title word(names, i)
    panel = panel + 1
}
unset multiplot

# Gradient norm of each block while training, pre-LN against post-LN: geometric means of three seeds, bands from lowest to highest.
file = data."/layer-gradients.csv"
of(placement, block, c) = strcol(1) eq placement && column(2) == block ? column(c) : NaN
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.085,0.985,0.14,0.9 spacing 0.03
set xlabel "training step"
set ylabel "gradient norm (before clipping)"
set logscale xy
set format y "10^{%T}"
set yrange [0.004:8]
set xrange [1:150]
set xtics (1, 2, 5, 10, 20, 50, 100)
unset key
do for [placement in "pre post"] {
    set title placement."-LN"
    plot for [b in "0 2 5"] file skip 1 using 3:(of(placement, b + 0, 5)):(of(placement, b + 0, 6)) with filledcurves lc (b == 0 ? 1 : b == 2 ? 3 : 2) fs transparent solid 0.15 noborder notitle, \
         for [b in "0 2 5"] file skip 1 using 3:(of(placement, b + 0, 4)) with linespoints lt (b == 0 ? 1 : b == 2 ? 3 : 2) pi 12 title (b == 0 ? "first block" : b == 2 ? "third" : "sixth, the last")
    unset ylabel
    set format y ""
    set key bottom left
}
unset multiplot

# Gradient norm of each block while training, pre-LN against post-LN. Data: 11-layer-gradients-{pre,post}.csv.
set multiplot layout 1,2 title "Gradient norm of each block while training"
set xlabel "training step"
set ylabel "gradient norm (before clipping)"
set logscale y
set format y "10^{%T}"
set yrange [0.005:30]
do for [placement in "pre post"] {
    file = data."/11-layer-gradients-".placement.".csv"
    set title placement."-LN"
    if (placement eq "pre") { unset key } else { set key top right maxrows 3 }
    plot for [l=0:5] file using 1:(column(6 + l + 1)) every 5 with linespoints lt (l + 1) title sprintf("block %d", l)
}
unset multiplot

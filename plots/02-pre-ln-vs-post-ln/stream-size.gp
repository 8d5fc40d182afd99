# The mean square of the residual stream at initialization, layer by layer.
file = data."/stream-size.csv"
of(seed, y) = strcol(1) eq seed ? column(y) : NaN
set xlabel "layer l"
set ylabel "|x_l|^2 / d"
set yrange [0:38]
set key top left
plot [0:24] for [k=1:6] file skip 1 using 2:(of(''.k, 4)) with lines lc rgb "#aaD55E00" lw 1 notitle, \
     1 + x / 2 with lines ls 10 lw 1 title "Xiong's bounds: 1 + l/2, 1 + 3l/2", 1 + 1.5 * x with lines ls 10 lw 1 notitle, \
     1 + x with lines ls 10 lw 2 title "our sublayers in theory: 1 + l", \
     file skip 1 using 2:(of('mean', 4)) lt 2 title "pre-LN (thin: one seed)", \
     "" skip 1 using 2:(of('mean', 3)) lt 1 title "post-LN"

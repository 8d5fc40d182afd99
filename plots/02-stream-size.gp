# The mean square of the residual stream at initialization, layer by layer.
set xlabel "layer l"
set ylabel "|x_l|^2 / d"
set key top left
plot data."/02-stream-size.csv" skip 1 using 1:4 with lines ls 10 title "theory: 1 + l", \
     "" skip 1 using 1:3 lt 2 title "pre-LN", "" skip 1 using 1:2 lt 1 title "post-LN"

# The gradient of every layer before the first step, 24 layers, with and without a residual connection and a norm.
set linetype 7 lc rgb "#000000" lw 2 pt 3 ps 0.7
set linetype 8 lc rgb "#888888" lw 2 pt 6 ps 0.7
file = data."/two-by-two-gradients.csv"
of(cell) = column(1) == 24 && strcol(2) eq cell ? column(4) : NaN
set logscale y
set xrange [0:25]
set xtics (1, 6, 12, 18, 24)
set format y "10^{%T}"
set yrange [0.1:1e5]
set xlabel "layer l"
set ylabel "gradient norm of the second weight, before the first step"
set key at graph 0.98, 0.7 right
plot file skip 1 using 3:(of('residual')) lt 4 title "residual, no norm", \
     "" skip 1 using 3:(of('norm')) lt 7 title "norm, no residual", \
     "" skip 1 using 3:(of('neither')) lt 8 title "neither", \
     "" skip 1 using 3:(of('post-LN')) lt 1 title "both: post-LN", \
     "" skip 1 using 3:(of('pre-LN')) lt 2 title "both: pre-LN"

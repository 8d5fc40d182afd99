# The last layer's gradient at initialization against depth: flat for post-LN, about 1/sqrt(L) for pre-LN.
file = data."/init-gradient.csv"
pick(placement, seed, y) = strcol(1) eq placement && strcol(2) eq seed ? column(y) : NaN
set logscale xy
set xrange [5:58]
set yrange [0.4:10]
set ytics (0.5, 1, 2, 5, 10)
set xtics (6, 12, 24, 48)
set xlabel "depth L (residual sublayers)"
set ylabel "gradient norm of the last sublayer's second weight"
set key bottom left
plot for [k=1:8] file skip 1 using 3:(pick('post-LN', ''.k, 4)) with lines lc rgb "#aa0072B2" lw 1 notitle, \
     for [k=1:8] "" skip 1 using 3:(pick('pre-LN', ''.k, 4)) with lines lc rgb "#aaD55E00" lw 1 notitle, \
     "" skip 1 using 3:(pick('post-LN', 'mean', 5)) with lines ls 10 title "theory: constant, 1/sqrt(1 + L)", \
     "" skip 1 using 3:(pick('pre-LN', 'mean', 5)) with lines ls 10 notitle, \
     "" skip 1 using 3:(pick('post-LN', 'mean', 4)) lt 1 title "post-LN (thin: one seed)", \
     "" skip 1 using 3:(pick('pre-LN', 'mean', 4)) lt 2 title "pre-LN"

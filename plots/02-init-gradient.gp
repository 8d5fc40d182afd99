# The last layer's gradient at initialization against depth: flat for post-LN, about 1/sqrt(L) for pre-LN.
set logscale xy
set xrange [5:58]
set xtics (6, 12, 24, 48)
set xlabel "depth L (residual sublayers)"
set ylabel "gradient norm of the last sublayer's second weight"
set key bottom left
plot data."/02-init-gradient.csv" skip 1 using 1:8 with lines ls 10 title "theory: constant, 1/sqrt(1 + L)", \
     "" skip 1 using 1:9 with lines ls 10 notitle, \
     "" skip 1 using 1:2:3:4 with yerrorbars lt 1 notitle, "" skip 1 using 1:2 lt 1 title "post-LN", \
     "" skip 1 using 1:5:6:7 with yerrorbars lt 2 notitle, "" skip 1 using 1:5 lt 2 title "pre-LN"

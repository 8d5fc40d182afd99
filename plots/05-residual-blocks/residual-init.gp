# The size of the stream at the end of a pre-LN stack of N sublayers (experiment residual-init of chapter 05).
set linetype 10 lc rgb "#D55E00" lw 2 dt 3 pt 4 ps 0.8
set logscale xy 2
set xlabel "number of sublayers, N"
set ylabel "mean square at the end of the stream, |x_N|^2 / d"
set xrange [5:120]
set yrange [1:150]
set key at graph 0.03, 0.97 left Left reverse
csv = data."/residual-init.csv"
plot x + 1 with lines ls 10 title "N + 1", 2 with lines ls 10 dt 3 title "2", \
     csv using "n":"unscaled" title "weights as drawn" lt 2, \
     csv using "n":"scaled" title "output projections smaller, as GPT-2 starts them" lt 10

# How far RMSNorm is from LayerNorm on a row, against the row's mean/std.
set logscale xy
set format xy "10^{%T}"
set xlabel "mean / standard deviation of the row"
set ylabel "distance from LayerNorm's output"
set key bottom right
plot data."/03-mean-ratio.csv" skip 1 using 1:4 with lines ls 10 title "theory: slopes 1 and 2", \
     "" skip 1 using 1:5 with lines ls 10 notitle, \
     "" skip 1 using 1:2 lt 1 title "RMSNorm", "" skip 1 using 1:3 lt 2 title "RMSNorm, mean of the output removed"

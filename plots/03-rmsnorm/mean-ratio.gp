# How far RMSNorm is from LayerNorm on a row, against the row's mean/std.
set logscale xy
set format xy "10^{%T}"
set xlabel "mean / standard deviation of the row"
set ylabel "distance from LayerNorm's output"
set key bottom right
csv = data."/mean-ratio.csv"
plot csv skip 1 using 1:2 with points lt 1 title "RMSNorm", \
     csv skip 1 using 1:3 with points lt 2 title "RMSNorm, mean of the output removed", \
     csv skip 1 using 1:4 with lines ls 10 title "theory, slopes 1 and 2 at the left", \
     csv skip 1 using 1:5 with lines ls 10 notitle

# RMSNorm's share of LayerNorm's time by the length of a row, forward and both passes, rows in the cache and in memory, one thread.
csv = data."/time.csv"
only(place, pass, y) = strcol(1) eq place && strcol(2) eq pass ? y : NaN
set datafile missing NaN
set logscale x 2
set xlabel "length of a row (numbers)"
set xrange [50:11000]
set xtics (64, 128, 256, 512, 1024, 2048, 4096, 8192)
set ylabel "RMSNorm's time / LayerNorm's"
set yrange [0:1.1]
set key bottom right samplen 2
set label 1 "no gain" at 56,1.03 tc rgb "#444444"
set label 2 "half the operations" at 56,0.465 tc rgb "#444444"
set style fill solid 0.25 noborder
plot '+' using (50 * 220**$0):(0.36):(0.93) every ::0::1 with filledcurves lc rgb "#999999" title "the paper's whole models", \
     1 with lines ls 10 notitle, \
     0.5 with lines ls 10 notitle, \
     csv skip 1 using 3:(only("memory", "both", $6)) lt 4 title "both passes, memory", \
     csv skip 1 using 3:(only("cache", "both", $6)) lt 2 title "both passes, cache", \
     csv skip 1 using 3:(only("memory", "forward", $6)) lt 3 title "forward, memory", \
     csv skip 1 using 3:(only("cache", "forward", $6)) lt 1 title "forward, cache"

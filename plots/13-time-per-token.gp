# Time per token against position, with and without the KV cache. Data: 13-time-per-token.csv.
set title "Time to write one more token (4 blocks of width 128)"
set xlabel "position (tokens already there)"
set ylabel "time per token (ms)"
set logscale y
set key top left
file = data."/13-time-per-token.csv"
plot file using 1:3 every 8 with linespoints lt 2 title "without the cache", \
     file using 1:2 every 8 with linespoints lt 1 title "with the cache"

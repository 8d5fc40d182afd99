# Bytes at one rank, by the number of ranks (experiment memory of chapter 16): weights, gradients, moments and the inbox for parts of
# other ranks, when each rank has all moments, and when they are shared out.
csv = data."/memory.csv"
set xlabel "ranks"
set ylabel "MB at one rank"
set yrange [0:20]
set xrange [0.5:16.5]
set key bottom left
plot csv using "ranks":((column("weights") + column("gradients") + column("moments") + column("inbox")) / 1e6) lt 2 title "all moments at every rank", \
     csv using "ranks":((column("weights") + column("gradients") + column("largest") + column("inbox")) / 1e6) lt 1 title "moments shared out", \
     csv using "ranks":((column("weights") + column("gradients") + column("moments") / column("ranks")) / 1e6) with lines ls 10 lw 3 title "moments shared out, without the inbox: 8N + 8N/P bytes"

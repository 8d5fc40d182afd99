# What a rank keeps, by the number of ranks (experiment memory of chapter 16): weights, gradients and moments, when each rank
# has all moments, and when they are shared out.
csv = data."/16-memory.csv"
set xlabel "ranks"
set ylabel "MB at one rank"
set yrange [0:18]
set xrange [0.5:16.5]
set key top right
plot csv using "ranks":((column("weights") + column("gradients") + column("moments")) / 1e6) lt 2 title "all moments at every rank", \
     csv using "ranks":((column("weights") + column("gradients") + column("largest")) / 1e6) lt 1 title "moments shared out, largest share", \
     csv using "ranks":((column("weights") + column("gradients")) / 1e6) with lines ls 10 title "weights and gradients"

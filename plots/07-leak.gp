# Words drawn at random cannot be predicted; without a mask they can be read.
set xlabel "training step"; set ylabel "next-word loss (nats)"
set yrange [0:3.2]; set key at graph 0.98, 0.6
plot data."/07-leak.csv" skip 1 using 1:2 title "no mask", "" skip 1 using 1:3 title "causal", \
     "" skip 1 using 1:4 with lines ls 10 title "ln 16"

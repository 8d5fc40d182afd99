# A task that cannot be learned without positions: which of two words comes first?
set xlabel "training step"; set ylabel "right answers"
set yrange [0.4:1.02]; set key at graph 0.98, 0.6
plot data."/06-order.csv" skip 1 using 1:2 title "no positions", \
     "" skip 1 using 1:3 title "learned", "" skip 1 using 1:4 title "sinusoidal", \
     0.5 with lines ls 10 title "guessing"

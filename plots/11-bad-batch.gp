# One bad batch: the training loss with and without clipping; the mean of three seeds, bands from the lowest to the highest.
file = data."/11-bad-batch.csv"
# Without the bad step itself, whose loss of random tokens is far above all others.
of(clipped, bad, c) = column(3) != last / 2 && column(1) == clipped && column(2) == bad && strcol(7) eq "none" ? column(c) : NaN
stats file skip 1 using 3 nooutput
last = STATS_max
set xrange [last * 0.4 : last * 0.8]
set yrange [1.2:2.3]
set xlabel "training step"
set ylabel "training loss (nats a token)"
set key top right samplen 2
set arrow 1 from last / 2, graph 0 to last / 2, graph 1 nohead ls 10
set label 1 "a batch of random tokens" at last / 2 + last * 0.004, graph 0.04 left tc rgb "#444444"
plot file skip 1 using 3:(of(0, 1, 5)):(of(0, 1, 6)) with filledcurves fc rgb "#D55E00" fs transparent solid 0.15 noborder notitle, \
     "" skip 1 using 3:(of(1, 1, 5)):(of(1, 1, 6)) with filledcurves fc rgb "#0072B2" fs transparent solid 0.15 noborder notitle, \
     "" skip 1 using 3:(of(0, 1, 4)) every 2 lt 2 title "not clipped", \
     "" skip 1 using 3:(of(0, 0, 4)) every 2 with lines lc rgb "#D55E00" lw 1 title "not clipped, without the bad batch", \
     "" skip 1 using 3:(of(1, 1, 4)) every 2 lt 1 title "clipped to 1", \
     "" skip 1 using 3:(of(1, 0, 4)) every 2 with lines lc rgb "#0072B2" lw 1 title "clipped, without the bad batch"

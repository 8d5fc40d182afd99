# One bad batch: the training loss with and without clipping; the mean of three seeds, bands from the lowest to the highest. In the bad step the loss is far above the figure.
file = data."/bad-batch.csv"
of(clipped, bad, c) = column(1) == clipped && column(2) == bad && strcol(7) eq "none" ? column(c) : NaN
# The bands leave out the bad step, whose seeds are all above the figure.
band(clipped, c) = column(3) != last / 2 ? of(clipped, 1, c) : NaN
stats file skip 1 using 3 nooutput
last = STATS_max
stats file skip 1 using (column(3) == last / 2 ? of(0, 1, 4) : NaN) nooutput
spike = STATS_mean
set xrange [last * 0.4 : last * 0.8]
set yrange [1.2:2.3]
set xlabel "training step"
set ylabel "training loss (nats a token)"
unset key
set title "AdamW does not forget one bad batch; clipped, it does"
set label 2 "not clipped" at last * 0.69,1.74 left tc lt 2
set label 3 "thin orange: without the bad batch" at last * 0.41,1.5 left tc lt 2
set label 4 "clipped, with and without" at last * 0.63,1.36 left tc lt 1
set label 1 sprintf("step %.0f, random tokens: loss %.0f, above the figure", last / 2, spike) at last * 0.51, graph 0.05 left tc rgb "#444444"
plot file skip 1 using 3:(band(0, 5)):(band(0, 6)) with filledcurves fc rgb "#D55E00" fs transparent solid 0.15 noborder, \
     "" skip 1 using 3:(band(1, 5)):(band(1, 6)) with filledcurves fc rgb "#0072B2" fs transparent solid 0.15 noborder, \
     "" skip 1 using 3:(of(0, 1, 4)) lt 2 ps 0.4, \
     "" skip 1 using 3:(of(0, 0, 4)) with lines lc rgb "#D55E00" lw 1, \
     "" skip 1 using 3:(of(1, 1, 4)) lt 1 ps 0.4, \
     "" skip 1 using 3:(of(1, 0, 4)) with lines lc rgb "#0072B2" lw 1

# One step at rank 0 of two (experiment timeline of chapter 16): from when a bucket's gradients are final, when both ranks' are added
# up, and when the sums are everywhere.
csv = data."/timeline.csv"
set xlabel "milliseconds since the step began"
set ylabel "bucket (0: the last parameters of the model)"
set yrange [*:*] reverse
set key bottom left
set style fill solid
set style arrow 1 nohead lw 5 lc rgb "#0072B2"
set style arrow 2 nohead lw 2 lc rgb "#D55E00"
stats csv using "done" nooutput name "DONE"
stats csv using "leaves" nooutput
set xrange [0.98 * STATS_min:1.01 * DONE_max]
set arrow from STATS_max, graph 0 to STATS_max, graph 1 nohead ls 10
set label "the backward pass ends" at STATS_max, graph 0.97 right offset -1,0
plot csv using "leaves":"bucket":(column("added") - column("leaves")):(0) with vectors arrowstyle 1 title "final here, not yet added up", \
     csv using "added":"bucket":(column("done") - column("added")):(0) with vectors arrowstyle 2 title "added up, not yet everywhere"

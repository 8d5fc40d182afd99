# A training that goes on without AdamW's moments: its loss minus that of the run that was never interrupted, same batches.
file = data."/resume.csv"
of(run, seed) = strcol(1) eq run && column(3) == seed ? column(5) : NaN
all(run) = strcol(1) eq run ? column(5) : NaN
stats file skip 1 using 2 nooutput
last = STATS_max
set xrange [last * 0.45 : last * 0.85]
set yrange [-0.08:0.22]
set datafile missing NaN
set xlabel "training step"
set ylabel "loss minus that of the whole run (nats)"
plot 0 with lines ls 10 title "with everything: the same bytes", \
     for [k=1:3] file skip 1 using 2:(of("without moments", k)) with lines lc rgb "#0072B2" lw 0.5 notitle, \
     for [k=1:3] file skip 1 using 2:(of("without moments and step", k)) with lines lc rgb "#D55E00" lw 0.5 notitle, \
     file skip 1 using 2:(all("without moments")) smooth unique with linespoints lt 1 title "without the moments", \
     "" skip 1 using 2:(all("without moments and step")) smooth unique with linespoints lt 2 title "and without the step"

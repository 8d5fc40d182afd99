# Loss of the small GPT-2 of `make tour` against the entropy of its language. Data: loss.csv.
file = data."/loss.csv"
stats file skip 1 using 1 nooutput
last = STATS_max
set xlabel "training step"
set ylabel "loss (nats a token)"
set logscale y
set ytics (0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3)
set yrange [0.66:1.3]
set key top right
# The last validation is of the whole text, those before it are of its first 40 windows: no line between them.
set datafile missing NaN
plot file using 1:2 every (last < 2000 ? 1 : 2) with lines lt 6 lw 1 title "training batch", \
     file using (column(1) < last ? column(1) : NaN):3 with linespoints lt 1 title "validation, the first 40 windows", \
     file using (column(1) == last ? column(1) : NaN):3 with points lt 2 ps 1 title "validation, the whole text", \
     file using 1:4 with lines ls 10 title "entropy of the validation text"

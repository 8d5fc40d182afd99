# Loss of the small GPT-2 of `make tour` against the entropy of its language. Data: loss.csv.
file = data."/loss.csv"
stats file skip 1 using 1 nooutput
last = STATS_max
set xlabel "training step"
set ylabel "loss (nats a token)"
set logscale y
set ytics (0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3)
set yrange [0.66:1.3]
unset key
set title "Seven hundredths of a nat above the best possible model"
set label 1 "training batches" at 1700,0.94 left tc lt 6
set label 2 "validation: the first 40 windows" at 1500,0.765 right tc lt 1
set label 3 "the whole text: 0.750" at 3950,0.765 right tc lt 2
set label 4 "floor: the entropy of the language, 0.680" at 3950,0.696 right tc rgb "#444444"
# The last validation is of the whole text, those before it are of its first 40 windows: no line between them.
set datafile missing NaN
plot file using 1:2 every (last < 2000 ? 1 : 2) with lines lt 6 lw 1, \
     file using (column(1) < last ? column(1) : NaN):3 with linespoints lt 1, \
     file using (column(1) == last ? column(1) : NaN):3 with points lt 2 ps 1, \
     file using 1:4 with lines ls 10

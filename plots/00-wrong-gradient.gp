# Chapter 00: training with a right and with a wrong backward pass; five seeds each.
csv = data."/00-wrong-gradient.csv"
stats csv using 2 name "S" nooutput
first = int(S_min)
set title "Two spirals, AdamW 0.02: the loss with a right and with a wrong gradient"
set xlabel "training step (the first point: 10)"
set ylabel "loss (nats a point)"
set logscale xy
set xrange [10:1000]
set yrange [0.001:1]
set ytics (0.001, 0.01, 0.1, 1)
set key bottom left reverse Left
only(name, s, y) = strcol("backward") eq name && column("seed") == s ? y : NaN
plot log(2) with lines ls 10 title "ln 2: knows nothing", \
     for [s=first:int(S_max)] csv using "step":(only("wrong", s, column("loss"))) with linespoints lt 2 lw 1 pointinterval 10 title s == first ? "ReLU's backward is wrong, five seeds" : "", \
     for [s=first:int(S_max)] csv using "step":(only("right", s, column("loss"))) with linespoints lt 1 lw 1 pointinterval 10 title s == first ? "right, five seeds" : ""

# Chapter 10: the loss of a small trained model by how much it has read. Data: 10-context.csv.
set title "The first tokens of every window are the expensive ones (six models)"
set xlabel "tokens in front of the one predicted"
set ylabel "loss (nats a token)"
set logscale x 2
set xrange [0.9:70]
set yrange [0:*]
csv = data."/10-context.csv"
plot for [s=1:6] csv using 2:(column(1) == s ? column(3) : NaN) with linespoints lt s title sprintf("seed %d", s)

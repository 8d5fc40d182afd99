# Chapter 00: the loss after 1000 steps against the learning rate; geometric mean and range of five seeds.
set title "Two spirals: the loss after 1000 steps"
set xlabel "learning rate"
set ylabel "loss (nats a point)"
set logscale xy
set format x "10^{%T}"
set xrange [7e-5:30]
set yrange [0.0008:6]
set ytics (0.001, 0.01, 0.1, 1)
set key bottom left reverse Left
csv = data."/learning-rates-mean.csv"
only(name, y) = strcol("optimizer") eq name ? y : NaN
plot log(2) with lines ls 10 title "ln 2: knows nothing", \
     for [i=1:2] name = word("SGD AdamW", i) csv using "rate":(only(name, column("loss"))):"lowest":"highest" with yerrorlines lt i title name

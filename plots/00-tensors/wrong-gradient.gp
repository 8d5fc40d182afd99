# Chapter 00: training with a wrong backward pass, alone and beside the right one; five seeds each. Left, both axes are linear.
if (terminal ne "dumb") { set terminal svg size 800,420 font "sans-serif,13" background "white"; set output out }
csv = data."/wrong-gradient.csv"
stats csv using 2 name "S" nooutput
first = int(S_min)
last = int(S_max)
of(name, s) = strcol("backward") eq name && column("seed") == s ? column("loss") : NaN
set multiplot layout 1,2
set title "What you would see: only the wrong gradient"
set xlabel "training step"
set ylabel "loss (nats a point)"
set xrange [0:1000]
set yrange [0.4:0.8]
set ytics 0.1
set key top right
plot log(2) with lines ls 10 title "guessing: ln 2", \
     for [s=first:last] csv using "step":(of("wrong", s)) with linespoints lt 2 lw 1 pointinterval 15 title s == first ? "wrong, five seeds" : ""
set title "The same lines beside the right ones"
set xlabel "training step, from 10 on"
set logscale xy
set xrange [10:1000]
set yrange [0.001:1]
set ytics (0.001, 0.01, 0.1, 1)
set key bottom left reverse Left
plot log(2) with lines ls 10 title "guessing: ln 2", \
     for [s=first:last] csv using "step":(of("wrong", s)) with linespoints lt 2 lw 1 pointinterval 15 title s == first ? "wrong, five seeds" : "", \
     for [s=first:last] csv using "step":(of("right", s)) with linespoints lt 1 lw 1 pointinterval 15 title s == first ? "right, five seeds" : ""
unset multiplot

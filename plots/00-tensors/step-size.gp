# Chapter 00: how far AdamW moves a weight in one step, as a share of the learning rate; three seeds, and two memories of v.
if (terminal ne "dumb") { set terminal svg size 800,420 font "sans-serif,13" background "white"; set output out }
csv = data."/step-size.csv"
stats csv using 2 name "S" nooutput
first = int(S_min)
set xlabel "training step"
set ylabel "mean |change of a weight| / learning rate"
set logscale xy
set xrange [1:1000]
set yrange [0.02:2]
set ytics (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)
set key bottom left
set label 1 "1: all gradients alike" at 990,1.15 right tc rgb "#444444"
only(beta2, s) = column("beta2") == beta2 && column("seed") == s ? column("share") : NaN
set multiplot layout 1,2
set title "β_2 = 0.999: v remembers some 1000 steps"
set label 2 "0.18: independent gradients" at 1.1,0.155 left tc rgb "#444444"
plot 1 with lines ls 10 notitle, \
     0.183 with lines ls 10 notitle, \
     for [s=first:int(S_max)] csv using "step":(only(0.999, s)) with linespoints lt s - first + 1 lw 1 pointinterval 12 title sprintf("seed %d", s)
set title "β_2 = 0.9: v remembers some 10 steps"
unset label 2
plot 1 with lines ls 10 notitle, \
     for [s=first:int(S_max)] csv using "step":(only(0.9, s)) with linespoints lt s - first + 1 lw 1 pointinterval 12 title sprintf("seed %d", s)
unset multiplot

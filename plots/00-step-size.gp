# Chapter 00: how far AdamW moves a weight in one step, as a share of the learning rate; three seeds, and two memories of v.
csv = data."/00-step-size.csv"
stats csv using 2 name "S" nooutput
first = int(S_min)
set title "AdamW 0.02 on two spirals: the length of a step (three seeds)"
set xlabel "training step"
set ylabel "mean |change of a weight| / learning rate"
set logscale xy
set xrange [1:1000]
set yrange [0.02:2]
set ytics (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)
set key bottom left reverse Left
set label 1 "1: all gradients alike" at 990,1.15 right tc rgb "#444444"
set label 2 "0.18: independent gradients" at 1.1,0.155 left tc rgb "#444444"
only(beta2, s) = column("beta2") == beta2 && column("seed") == s ? column("share") : NaN
plot 1 with lines ls 10 notitle, \
     0.183 with lines ls 10 notitle, \
     for [s=first:int(S_max)] csv using "step":(only(0.999, s)) with linespoints lt 1 lw 1.5 pointinterval 12 title s == first ? "β_2 = 0.999: v remembers some 1000 steps" : "", \
     for [s=first:int(S_max)] csv using "step":(only(0.9, s)) with linespoints lt 5 lw 1 pointinterval 12 title s == first ? "β_2 = 0.9: v remembers some 10 steps" : ""

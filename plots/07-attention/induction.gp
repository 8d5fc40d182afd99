# A text that repeats itself: the loss where the next word can be known, and the score of the best head, over training.
# Each line is a seed.
if (terminal eq "svg") set terminal svg size 720,560 font "sans-serif,13" background "white"
file = data."/induction.csv"
of(layers, s, y) = column("layers") == layers && column("heads") == 4 && column("seed") == s ? column(y) : NaN
# One of the words of the period, each alike: ln p, over the places that a sentence of 32 with period p has for it.
places = 0; seen = 0
do for [p=8:16] { places = places + 32 - p; seen = seen + (32 - p) * log(p) }
set xrange [0:600]
stats data."/induction-end.csv" using (column("layers") == 2 && column("heads") == 4 ? column("loss_step") : NaN) name "H" nooutput
set object 1 rectangle from H_min, graph 0 to H_max, graph 1 behind fc rgb "#888888" fs solid 0.18 noborder
set multiplot layout 2,1 margins 0.1,0.97,0.1,0.985 spacing 0.03
set ylabel "loss (nats)"; set yrange [0:3.7]; set format x ""
set key top right
plot for [s=1:5] file using "step":(of(1, s, "loss")) lt 5 lw 1 pi 5 title (s == 1 ? "one layer" : ""), \
     for [s=1:5] file using "step":(of(2, s, "loss")) lt 1 lw 1 pi 5 title (s == 1 ? "two layers" : ""), \
     seen / places with lines ls 10 title "any of the words seen"
set ylabel "mean weight of the best head"; set yrange [0:1.05]; set format x "%g"
set xlabel "training step"
set key at graph 0.02, 0.97 top left Left reverse
plot for [s=1:5] file using "step":(of(2, s, "induction")) lt 1 lw 1 pi 5 title (s == 1 ? "two layers: induction score" : ""), \
     for [s=1:5] file using "step":(of(2, s, "previous")) lt 3 lw 1 pi 5 title (s == 1 ? "two layers: previous-token score" : ""), \
     for [s=1:5] file using "step":(of(1, s, "induction")) lt 5 lw 1 pi 5 title (s == 1 ? "one layer: induction score" : "")
unset multiplot

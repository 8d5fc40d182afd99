# Clipping. Left: SGD on a stack without norms, as it is and with gradients clipped to norm 1. Right: what a limit leaves
# of a gradient's length and direction.
descent = data."/clip-descent.csv"
direction = data."/clip-direction.csv"
of(run, y) = strcol(1) eq run ? column(y) : NaN
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.09,0.985,0.15,0.9 spacing 0.11
set logscale xy
set title "eight layers x + F(x), SGD"
set xlabel "training step"
set ylabel "loss (nats)"
set format y "10^{%T}"
set xrange [0.9:700]
set yrange [1:1e9]
set key top right
plot descent skip 1 using 2:(of('free', 3)) lt 2 title "not clipped (then NaN)", \
     "" skip 1 using 2:(of('clipped', 3)) with lines lt 1 lw 1.3 title "clipped to norm 1"
set title "the direction of a clipped gradient"
set xlabel "length that is left, as a share"
set ylabel "cosine between clipped and whole gradient"
set format y "%g"
unset logscale y
set xrange [0.008:1.2]
set yrange [0.5:1.04]
set xtics (0.01, 0.03, 0.1, 0.3, 1)
set key bottom left
plot direction skip 1 using 3:(of('norm', 4)) lt 1 title "by norm", \
     "" skip 1 using 3:(of('value', 4)) lt 2 title "by value"
unset multiplot

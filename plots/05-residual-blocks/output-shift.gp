# How far the output moves, against depth. Left: when every weight moves by one percent. Right: in Adam's first step.
noise = data."/output-shift.csv"
step = data."/step-shift.csv"
set linetype 10 lc rgb "#D55E00" lw 2 dt 3 pt 4 ps 0.8
names = "post-LN pre-LN admin pre-LN/rN"
of(scheme, y) = strcol(1) eq scheme ? column(y) : NaN
title_of(i) = i == 4 ? "pre-LN, scaled" : word("post-LN pre-LN Admin", i)
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.09,0.985,0.15,0.9 spacing 0.09
set logscale xy
set xrange [2.6:110]
set xtics (3, 6, 12, 24, 48, 96)
set format y "10^{%T}"
set xlabel "depth L (residual sublayers)"
set ylabel "mean square of the output's change"
set key top left
set title "1 % of noise on every weight"
set yrange [8e-5:0.1]
plot 1e-4 * x with lines ls 10 title "as L", \
     for [i=1:4] noise skip 1 using 2:(of(word(names, i), 3)):(of(word(names, i), 4)):(of(word(names, i), 5)) \
         with yerrorlines lt word("1 2 5 10", i) title title_of(i)
set title "one step of Adam"
unset ylabel
set yrange [2e-3:20]
plot 5e-4 * x**2 with lines ls 10 title "as L^2", \
     for [i=1:4] step skip 1 using 2:(of(word(names, i), 3)):(of(word(names, i), 4)):(of(word(names, i), 5)) \
         with yerrorlines lt word("1 2 5 10", i) title title_of(i)
unset multiplot

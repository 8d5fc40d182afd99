# How far the output moves when every weight moves by one percent, against depth.
file = data."/05-output-shift.csv"
of(scheme, y) = strcol(1) eq scheme ? column(y) : NaN
set logscale xy
set xrange [2.6:110]
set yrange [8e-5:0.03]
set xtics (3, 6, 12, 24, 48, 96)
set format y "10^{%T}"
set xlabel "depth L (residual sublayers)"
set ylabel "mean square of the output's change"
set key top left
plot 1e-4 * x with lines ls 10 title "as L", \
     for [i=1:4] file skip 1 using 2:(of(word("post-LN pre-LN admin pre-LN/rN", i), 3)):(of(word("post-LN pre-LN admin pre-LN/rN", i), 4)):(of(word("post-LN pre-LN admin pre-LN/rN", i), 5)) \
         with yerrorlines lt word("1 2 5 3", i) title i == 4 ? "pre-LN, scaled" : word("post-LN pre-LN Admin", i)

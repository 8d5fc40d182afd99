# Steps to a loss of 1.2 against depth, by scheme. A bar spans the seeds; the row at the top: not in 400 steps.
set linetype 8 lc rgb "#888888" lw 2 pt 6 ps 0.7
file = data."/depths.csv"
of(scheme, y) = strcol(1) eq scheme ? column(y) : NaN
never(scheme, row) = strcol(1) eq scheme && strcol(4) eq 'never' ? row : NaN
set logscale xy
set xrange [1.7:76]
set yrange [25:900]
set xtics (2, 4, 8, 16, 32, 64)
set ytics (25, 50, 100, 200, 400)
set arrow from graph 0, first 420 to graph 1, first 420 nohead lc rgb "#444444" lw 1 dt 2
set label "not in 400 steps" at graph 0.02, first 560 tc rgb "#444444"
set xlabel "depth (residual sublayers)"
set ylabel "steps to a loss of 1.2, at the better of two rates"
set key outside right center samplen 2
plot for [i=1:7] scheme = word("none plain post-LN pre-LN rezero fixup admin", i) \
     file skip 1 using 2:(of(scheme, 4)):(of(scheme, 5)):(of(scheme, 6)) with yerrorlines \
         lt word("8 4 1 2 3 6 5", i) title word("F(x) plain post-LN pre-LN ReZero Fixup Admin", i), \
     for [i=1:7] "" skip 1 using 2:(never(word("none plain post-LN pre-LN rezero fixup admin", i), 430 + 55 * i)) \
         with points lt word("8 4 1 2 3 6 5", i) ps 0.8 notitle

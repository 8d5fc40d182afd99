# How unevenly an untrained stack stretches the directions of its input: largest singular value in the median one.
file = data."/05-jacobian.csv"
of(scheme) = strcol(1) eq scheme ? column(5) : NaN
set linetype 8 lc rgb "#444444" lw 2 pt 6 ps 0.7
set logscale xy
set xrange [1.8:36]
set yrange [0.5:1e9]
set xtics (2, 4, 8, 16, 32)
set format y "10^{%T}"
set xlabel "depth (residual sublayers)"
set ylabel "largest singular value / median"
set key top left
plot for [i=1:6] file skip 1 using 2:(of(word("none post-LN plain pre-LN admin rezero", i))) \
     lt word("8 1 4 2 5 3", i) title word("F(x) post-LN plain pre-LN Admin ReZero", i)

# How unevenly an untrained stack stretches the directions of its input: largest singular value divided by the median one.
# Beyond 10^7 the median is float rounding: not drawn.
file = data."/jacobian.csv"
of(scheme) = strcol(1) eq scheme && column(5) < 1e7 ? column(5) : NaN
set linetype 7 lc rgb "#000000" lw 2 dt 2 pt 2 ps 0.7
set linetype 8 lc rgb "#888888" lw 2 pt 6 ps 0.7
set linetype 9 lc rgb "#CC79A7" lw 2 dt 3 pt 12 ps 0.9
set linetype 10 lc rgb "#56B4E9" lw 2 dt 2 pt 8 ps 1.2
set logscale xy
set xrange [1.8:36]
set yrange [0.6:4e6]
set xtics (2, 4, 8, 16, 32)
set format y "10^{%T}"
set xlabel "depth (residual sublayers)"
set ylabel "largest singular value / median"
set key outside right center samplen 2
plot for [i=1:9] file skip 1 using 2:(of(word("none norm post-LN plain pre-LN admin plain/rN rezero fixup", i))) \
     lt word("8 7 1 4 2 5 9 3 10", i) title word("F(x) norm(F(x)) post-LN plain pre-LN Admin plain/√N ReZero Fixup", i)

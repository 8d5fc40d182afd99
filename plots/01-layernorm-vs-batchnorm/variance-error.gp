# Chapter 01: the error of five ways to compute a variance in single precision, against the offset of the numbers.
set title "Variance of 768 floats, offset + N(0, 1): error of five methods (five seeds)"
set xlabel "offset, in standard deviations"
set ylabel "relative error"
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xrange [0.8:8e6]
set yrange [1e-8:1e5]
set key top left reverse Left
set label 1 "2^{-24} · offset^2" at 1.5e6,2e4 tc rgb "#444444"
set label 2 "2^{-24} · offset" at 1.5e6,0.15 tc rgb "#444444"
csv = data."/variance-error.csv"
plot csv using "offset":"square" every ::0::10 with lines ls 10 notitle, \
     csv using "offset":"line" every ::0::10 with lines ls 10 notitle, \
     csv using "offset":"one_pass" with points lt 2 title "one pass", \
     csv using "offset":"one_pass_kahan" with points lc rgb "#222222" pt 10 ps 0.9 title "one pass, Kahan's sums", \
     csv using "offset":"welford" with points lt 1 title "Welford", \
     csv using "offset":"two_passes" with points lt 3 title "two passes", \
     csv using "offset":"two_passes_kahan" with points lt 4 title "two passes, Kahan's sums"

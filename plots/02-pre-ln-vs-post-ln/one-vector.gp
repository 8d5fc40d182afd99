# How much the outputs differ between inputs in the first hundred steps, with ReLU and with ReLU minus its mean: five seeds each.
file = data."/one-vector-steps.csv"
spread(change, seed) = strcol("change") eq change && column("seed") == seed ? column("spread") : NaN
set datafile missing NaN
set logscale xy
set xrange [1:100]
set yrange [1e-8:2]
set format y "10^{%T}"
set xlabel "step"
set ylabel "spread of the outputs between inputs"
unset key
set label 1 "ReLU minus its mean" at 12, 1.1 tc rgb "#009E73"
set label 2 "ReLU" at 3.4, 2e-4 right tc rgb "#CC79A7"
plot for [s=1:5] file using "step":(spread("nothing", s)) with lines lc rgb "#CC79A7" lw 1.8, \
     for [s=1:5] file using "step":(spread("ReLU-mean", s)) with lines lc rgb "#009E73" lw 1.8

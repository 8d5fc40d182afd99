# Chapter 01: how far the output of one sample is from what an endless batch would give.
set title "A sample in batches of 1 to 256 (400 samples, five seeds)"
set xlabel "batch size B"
set ylabel "distance from the output in an endless batch"
set logscale x 2
set logscale y
set xrange [0.9:300]
set yrange [0.05:2]
csv = data."/batch-size.csv"
set label 1 "LayerNorm: distance 0 at every batch size" at graph 0.03, graph 0.06
plot csv using "batch":"theory" every ::0::8 with lines ls 10 title "sqrt(1.5 / B)", \
     csv using "batch":"batchnorm" with points lt 2 title "BatchNorm"

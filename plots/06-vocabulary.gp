# Chapter 06: a step of 64 tokens against the size of the vocabulary: the lookup, the product in its place, the optimizer.
csv = data."/06-vocabulary.csv"
set logscale xy
set xlabel "words in the table (of 64 numbers each)"; set ylabel "microseconds"
set xrange [900:75000]; set yrange [0.4:1e7]
set xtics (1024, 2048, 4096, 8192, 16384, 32768, 65536)
set format y "10^{%T}"
set key top left
plot csv using "words":"product_us" lt 2 title "one-hot rows times the table, forward and backward", \
     csv using "words":"adamw_us" lt 3 title "AdamW over the table", \
     csv using "words":"lookup_us" lt 1 title "lookup, forward and backward", \
     0.05 * x with lines ls 10 title "as V", 1 with lines ls 10 notitle

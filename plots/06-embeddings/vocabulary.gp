# Chapter 06: a step of 64 tokens against the size of the vocabulary: the lookup, the product in its place, the optimizer.
if (terminal eq "svg") { set terminal svg size 880,420 font "sans-serif,13" background "white"; set output out }
csv = data."/vocabulary.csv"
set multiplot layout 1,2 margins 0.085,0.985,0.15,0.76 spacing 0.1
set logscale xy
set xlabel "words in the table, of 64 numbers each"
set xrange [800:82000]
set xtics ("1024" 1024, "4096" 4096, "16,384" 16384, "65,536" 65536)
set format y "10^{%T}"
set key at graph 0, 1.34 left reverse Left samplen 2
set ylabel "time of a step (microseconds)"
set yrange [0.4:2e4]
plot csv using "words":"product_us" lt 2 title "one-hot rows times the table", \
     csv using "words":"adamw_us" lt 3 title "AdamW over the table", \
     csv using "words":"lookup_us" lt 1 title "lookup, forward and backward", \
     0.05 * x with lines ls 10 title "as V", 1 with lines ls 10 notitle
set ylabel "memory (bytes)"
set yrange [4e3:2e8]
plot csv using "words":"adamw_bytes" lt 3 title "weights, gradients, two moments", \
     csv using "words":"one_hot_bytes" lt 2 title "one-hot rows", \
     csv using "words":(column("rows_touched") * 256) lt 1 title "rows that are used", \
     1024 * x with lines ls 10 title "as V"
unset multiplot

# The size of the stream at the end of a pre-LN stack of N sublayers (experiment residual-init of chapter 05).
set logscale xy 2
set xlabel "residual sublayers N"
set ylabel "|x_N|^2 / d"
set xrange [5:120]
set yrange [1:150]
set key top left
csv = data."/05-residual-init.csv"
plot x + 1 with lines ls 10 title "N + 1", 2 with lines ls 10 dt 3 title "2", \
     csv using "n":"unscaled" title "as drawn" lt 2, \
     csv using "n":"scaled" title "output projections / sqrt N (GPT-2)" lt 1

# Validation loss by learning rate for three batch sizes, all with the same tokens. Points are seeds, lines their mean.
file = data."/rates.csv"
tokens(n, c) = column(2) == n ? column(c) : NaN
set datafile missing NaN
set logscale xy
set xlabel "highest learning rate"
set ylabel "validation loss (nats a token)"
set xrange [0.0034:0.15]
set yrange [0.95:4.5]
set xtics (0.004, 0.008, 0.016, 0.032, 0.064, 0.128)
set ytics (1, 1.5, 2, 3, 4, 5)
set key top right
sizes = "64 256 1024"
plot for [i=1:3] file skip 1 using 3:(tokens(word(sizes, i) + 0, 5)) with points lt i ps 0.35 notitle, \
     for [i=1:3] file skip 1 using 3:(tokens(word(sizes, i) + 0, 6)) smooth unique with linespoints lt i title word(sizes, i)." tokens a step"

# How far the weights of 2 and of 4 ranks are from those of one, by step (experiment bits of chapter 16): three seeds each. The
# tree's distance is 0, which has no place on a logarithmic axis. With 2 ranks a sum has two terms, so MPI and the ring agree.
csv = data."/bits.csv"
set logscale xy
set format y "10^{%T}"
set xlabel "step"
set ylabel "distance of the weights from one rank's, relative"
set xrange [0.8:280]
set yrange [1e-10:1e-3]
set key bottom right
set title "Rounding in another order grows; the tree stays at exactly 0"
of(way, ranks) = sprintf("<awk -F, '$1 == \"%s\" && $2 == %d' %s", way, ranks, csv)
plot of("ring", 2) using ($4 / 1.06):5 with points lt 2 title "ring or MPI\\_Iallreduce, 2 ranks: the same numbers", \
     of("MPI_Iallreduce", 4) using 4:5 with points lt 6 title "MPI\\_Iallreduce, 4 ranks", \
     of("ring", 4) using ($4 * 1.06):5 with points lt 5 title "ring, 4 ranks"

# Chapter 18: loss against the position in a window, of models trained on 64 positions and asked at 192, by their positions. Thin
# lines are seeds.
csv = data."/18-positions.csv"
only(order, y) = column("order") == order ? y : NaN
set xlabel "position in the window, bytes (means of 16)"
set ylabel "loss, nats a byte"
set xrange [0:192]; set xtics 0,32
set datafile missing NaN
set arrow 1 from 64, graph 0 to 64, graph 1 nohead ls 10
set label 1 "trained up to here" at 61, graph 0.93 right tc rgb "#444444"
set key at graph 0.67, graph 0.72
colour(i) = i == 2 ? "#0072B2" : i == 3 ? "#E69F00" : "#009E73"
title(i) = i == 2 ? "learned" : i == 3 ? "rotary" : "rotary, shared keys"
of(o, s) = column("order") == o && column("seed") == s ? column("loss") : NaN
plot for [i=2:4] for [s=1:3] csv using "position":(of(i, s)) with lines lw 0.6 lc rgb colour(i) notitle, \
     for [i=2:4] csv using "position":(only(i, column("loss"))) smooth unique with linespoints lw 2.5 pt 3 + 2 * i ps 0.6 lc rgb colour(i) title title(i)

# Chapter 18: loss against the position in a window, of models trained on 64 positions and asked at 192, by where their positions
# come from. Thin lines are seeds.
csv = data."/lengths-positions.csv"
of(o, s) = column("order") == o && (s == 0 || column("seed") == s) ? column("loss") : NaN
set xlabel "position in the window, bytes (means of 16)"
set ylabel "loss, nats a byte"
set xrange [0:192]; set xtics 0,32
set yrange [0:6.5]
set datafile missing NaN
set arrow 1 from 64, graph 0 to 64, graph 1 nohead ls 10
set label 1 "trained up to here" at 61, graph 0.95 right tc rgb "#444444"
set key top right
array title[5] = ["learned", "sinusoidal", "none", "rotary", "penalty for distance"]
array colour[5] = ["#0072B2", "#CC79A7", "#D55E00", "#E69F00", "#009E73"]
plot for [i=0:4] for [s=1:3] csv using "position":(of(i, s)) with lines lw 0.6 lc rgb colour[i + 1] notitle, \
     for [i=0:4] csv using "position":(of(i, 0)) smooth unique with linespoints lw 2.5 pt 3 + 2 * i ps 0.6 lc rgb colour[i + 1] \
     title title[i + 1]

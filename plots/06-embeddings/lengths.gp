# Chapter 06: sentences of 2 to 8 words, in rows of 8 places as in training and in longer ones. A point is a seed.
csv = data."/lengths.csv"
of(mean, seed, y) = strcol("mean") eq mean && column("seed") == seed ? y : NaN
set xlabel "places in a row (the sentences are the same)"; set ylabel "right answers"
set logscale x 2; set xtics (8, 16, 32, 64); set xrange [7:74]
set yrange [0.28:1.05]
set ytics ("50 %%" 0.5, "60 %%" 0.6, "70 %%" 0.7, "80 %%" 0.8, "90 %%" 0.9, "100 %%" 1)
set key at graph 0.98, graph 0.22
plot 0.5 with lines ls 10 title "guessing", \
     for [k=1:5] csv using "places":(of("words", k, column("accuracy"))) lt 1 lw 1 title (k == 1 ? "mean over a sentence's words" : ""), \
     for [k=1:5] csv using "places":(of("places", k, column("accuracy"))) lt 2 lw 1 dt k pt (k == 1 ? 5 : k == 2 ? 9 : k == 3 ? 11 : k == 4 ? 13 : 3) ps 0.9 title (k == 1 ? "mean over all places" : "")

# Chapter 13: what a cache that forgets costs, by position: perplexity divided by that with all tokens (three seeds and their mean).
csv = data."/sinks.csv"
ratio(kind) = column(kind) / column("full")
set xlabel "position in the text"
set ylabel "perplexity / perplexity with all tokens"
set xrange [0:128]
set xtics 16
set yrange [0.98:1.24]
set key top left Left reverse samplen 1.5 width -3
set arrow 1 from 48, graph 0 to 48, graph 1 nohead ls 10
set label 1 "48 tokens are held" at 50, graph 0.03
set arrow 2 from graph 0, first 1 to graph 1, first 1 nohead ls 10
plot csv using (column("position") - 0.9):(ratio("window")) with points lt 2 ps 0.45 notitle, \
     csv using (column("position") - 0.3):(ratio("middle_four")) with points lt 4 ps 0.45 notitle, \
     csv using (column("position") + 0.3):(ratio("next_four")) with points lt 5 ps 0.45 notitle, \
     csv using (column("position") + 0.9):(ratio("sinks")) with points lt 3 ps 0.45 notitle, \
     csv using "position":(ratio("window")) smooth unique with linespoints lt 2 title "the last 48", \
     csv using "position":(ratio("middle_four")) smooth unique with linespoints lt 4 title "20 to 23 and the last 44", \
     csv using "position":(ratio("next_four")) smooth unique with linespoints lt 5 title "4 to 7 and the last 44", \
     csv using "position":(ratio("sinks")) smooth unique with linespoints lt 3 title "0 to 3 and the last 44"

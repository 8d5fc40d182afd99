# Chapter 13: perplexity against position for a cache that keeps all, a window, a window with sinks (three seeds and their mean).
csv = data."/13-sinks.csv"
set xlabel "position in the text"
set ylabel "perplexity"
set xrange [0:128]
set xtics 16
set yrange [1.8:3.6]
set key top right
set arrow 1 from 48, graph 0 to 48, graph 1 nohead ls 10
set label 1 "48 tokens are held" at 50, graph 0.04
plot csv using (column("position")):"full" with points lt 1 ps 0.45 notitle, \
     csv using (column("position") - 1):"window" with points lt 2 ps 0.45 notitle, \
     csv using (column("position") + 1):"sinks" with points lt 3 ps 0.45 notitle, \
     csv using "position":"full" smooth unique with linespoints lt 1 title "all tokens", \
     csv using "position":"window" smooth unique with linespoints lt 2 title "the last 48", \
     csv using "position":"sinks" smooth unique with linespoints lt 3 title "the first 4 and the last 44"

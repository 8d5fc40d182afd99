# Chapter 13: perplexity against position for a cache that keeps all, a window, a window with sinks (mean of 3 seeds).
csv = data."/13-sinks.csv"
set xlabel "position in the text"
set ylabel "perplexity"
set xrange [0:256]
set xtics 32
set yrange [2:3.6]
set key top right
set arrow 1 from 64, graph 0 to 64, graph 1 nohead ls 10
set label 1 "the window is full" at 66, graph 0.04
plot csv using "position":"full" smooth unique with linespoints lt 1 title "all 256 tokens", \
     csv using "position":"window" smooth unique with linespoints lt 2 title "the last 64", \
     csv using "position":"sinks" smooth unique with linespoints lt 3 title "the first 4 and the last 60"

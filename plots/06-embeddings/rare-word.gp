# Chapter 06: the way of a table's row whose word occurs once, under AdamW.
csv = data."/rare-word.csv"
set xlabel "steps since the word occurred"; set ylabel "moved, in learning rates"
set xrange [0:101]; set yrange [0:36]
set key at graph 0.98, graph 0.66
plot csv using "k":"theory" with lines ls 10 title "3.16 (1 - 0.9^k) / 0.1, from Adam's formula", \
     csv using "k":"step10000" every 5 lt 1 title "at step 10,000", \
     csv using "k":"step1000" every 5 lt 2 title "at step 1000", \
     csv using "k":"step100" every 5 lt 3 title "at step 100", \
     csv using "k":"step1" every 5 lt 4 title "at step 1"

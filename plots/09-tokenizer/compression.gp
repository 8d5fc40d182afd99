# Bytes per token against the size of the vocabulary; the points of three seeds lie on each other.
set xlabel "tokens in the vocabulary"
set ylabel "bytes per token"
set xtics (257, 300, 350, 400, 450, 500, 550, 600, 661)
set xrange [245:680]
set yrange [0:4.5]
set key at graph 0.995, 0.47
csv = data."/compression.csv"
plot csv skip 1 using 2:6 smooth unique with lines ls 10 title "bytes per word: no merge crosses a word", \
     csv skip 1 using 2:4 smooth unique with lines lt 1 notitle, \
     csv skip 1 using 2:3 with points lt 2 pt 4 ps 1.1 title "the stories it was learned from", \
     csv skip 1 using 2:4 with points lt 1 title "new stories", \
     csv skip 1 using 2:5 smooth unique with lines lt 3 notitle, \
     csv skip 1 using 2:5 with points lt 3 title "the new stories in capitals"

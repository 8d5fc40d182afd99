# Chapter 09: bytes per token against the size of the vocabulary.
set title "A vocabulary compresses the kind of text that it was learned from"
set xlabel "tokens in the vocabulary"
set ylabel "bytes per token"
set logscale x 2
set xtics (257, 288, 320, 384, 448, 512, 640)
set xrange [250:680]
set yrange [0:4.2]
set key top left
csv = data . "/09-compression.csv"
plot csv using 1:2 skip 1 linetype 1 title "the text it was learned from", \
     csv using 1:3 skip 1 linetype 2 title "new stories", \
     csv using 1:4 skip 1 linetype 3 title "the same in capitals"

# Key and value (experiment keys of chapter 04): the share of hidden units whose value has the byte that follows the key's
# strongest place among its first k. Every seed a point, lines through the means.
csv = data."/keys.csv"
only(layer, y) = column("layer") == layer ? y : NaN
set datafile missing NaN
set xlabel "k: the byte that follows is among the k that the value scores highest"
set ylabel "share of hidden units"
set xrange [0.5:10.5]
set xtics 1
set yrange [0:1]
set key top left
plot csv using "k":(only(2, column("own"))) with points lt 2 notitle, \
     csv using "k":(only(2, column("own"))) smooth unique with linespoints lt 2 title "layer 2, its own key's place", \
     csv using "k":(only(1, column("own"))) with points lt 1 notitle, \
     csv using "k":(only(1, column("own"))) smooth unique with linespoints lt 1 title "layer 1, its own key's place", \
     csv using "k":"others" smooth unique with lines ls 10 title "the places of other keys"

# Chapter 12: where texts repeat themselves: inside a story, and in the first four tokens of stories; three seeds.
csv = data."/12-repeats.csv"
strategies = "greedy 'temp. 0.7' 'top-k 10' 'top-p 0.9' 'top-p 0.95' 'top-k 640' sampling 'temp. 1.3' corpus"
do for [i=0:8] { set xtics add (word(strategies, i + 1) i) }
set xtics rotate by -20
set xrange [-0.5:8.5]
set yrange [0:1.35]
set ytics 0.2
set ylabel "different ones, as a share of all"
set key top right Left reverse maxrows 2
set style data points
plot csv using (column("place") - 0.15):"in_stories" lt 1 ps 0.8 title "4-grams of one story", \
     csv using (column("place") + 0.15):"openings" lt 2 ps 0.8 title "beginnings of stories", \
     csv using (column("place")):"distinct" lt 3 ps 0.9 title "4-grams of all texts"

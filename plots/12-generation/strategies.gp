# Chapter 12: perplexity of texts by strategy, three seeds each; the dashed line is the corpus.
csv = data."/strategies.csv"
strategies = "greedy 'with penalty' 'temp. 0.7' 'top-k 10' 'top-p 0.9' 'top-p 0.95' sampling"
unset key
# The penalty, place 9, stands beside greedy, place 0; place 7 is off the scale, and place 5, a
# filter of more tokens than there are, is sampling once more.
at(place) = place == 0 ? 0 : place == 9 ? 1 : place == 6 ? 6 : place + 1
of(y) = column("place") != 8 && column("place") != 7 && column("place") != 5 ? y : NaN
stats csv using (column("place") == 8 ? column("perplexity") : NaN) nooutput name "CORPUS"
set title "Greedy text is likelier than the corpus, sampled text less likely"
set xrange [-0.5:6.5]
set yrange [1.7:2.7]
set ylabel "perplexity under the model"
set xtics ()
do for [i=0:6] { set xtics add (word(strategies, i + 1) i) }
set xtics rotate by -20
set label 1 "the corpus" at 0.2, first CORPUS_mean left offset 0, 0.6 tc rgb "#444444"
plot CORPUS_mean with lines ls 10, \
     csv using (at(column("place"))):(of(column("perplexity"))) with points lt 1 ps 0.9

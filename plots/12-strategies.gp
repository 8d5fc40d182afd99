# Chapter 12: perplexity and variety of texts by strategy, three seeds each; the dashed line is the corpus.
if (terminal ne "dumb") { set terminal svg size 960,400 font "sans-serif,13" background "white"; set output out }
csv = data."/12-strategies.csv"
strategies = "greedy 'temperature 0.7' 'top-k 10' 'top-p 0.9' sampling 'temperature 1.3'"
unset key
set xtics rotate by -30
do for [i=0:5] { set xtics add (word(strategies, i + 1) i) }
of(y) = column("place") <= 5 ? y : NaN
of_corpus(y) = column("place") == 6 ? y : NaN
stats csv using (of_corpus(column("perplexity"))) nooutput name "PERPLEXITY"
stats csv using (of_corpus(column("distinct"))) nooutput name "DISTINCT"
set xrange [-0.5:5.5]
set multiplot layout 1,2 margins 0.08,0.93,0.26,0.97 spacing 0.13
set arrow 1 from graph 0, first PERPLEXITY_mean to graph 1, first PERPLEXITY_mean nohead ls 10
set label 1 "corpus" at graph 0.02, first PERPLEXITY_mean left offset 0, 0.6
set ylabel "perplexity of the text under the model"
set yrange [1.5:4]
plot csv using "place":(of(column("perplexity"))) with points lt 1 ps 1
set arrow 1 from graph 0, first DISTINCT_mean to graph 1, first DISTINCT_mean nohead ls 10
set label 1 "corpus" at graph 0.02, first DISTINCT_mean left offset 0, 0.6
set ylabel "distinct 4-grams / all 4-grams"
set yrange [0:0.8]
plot csv using "place":(of(column("distinct"))) with points lt 2 ps 1
unset multiplot

# Chapter 12: perplexity and variety of texts by strategy, three seeds each; the dashed line is the corpus.
if (terminal eq "svg") set terminal svg size 720,520 font "sans-serif,13" background "white"
csv = data."/strategies.csv"
strategies = "greedy 'with penalty' 'temp. 0.7' 'top-k 10' 'top-p 0.9' 'top-p 0.95' 'top-k 640' sampling 'temp. 1.3'"
unset key
set style data points
# The penalty, place 9, stands beside greedy, place 0.
at(place) = place == 0 ? 0 : place == 9 ? 1 : place + 1
of(y) = column("place") != 8 ? y : NaN
of_corpus(y) = column("place") == 8 ? y : NaN
stats csv using (of_corpus(column("perplexity"))) nooutput name "PERPLEXITY"
stats csv using (of_corpus(column("distinct"))) nooutput name "DISTINCT"
stats csv using (of_corpus(column("in_texts"))) nooutput name "IN_TEXTS"
stats csv using (column("place") == 7 ? column("perplexity") : NaN) nooutput name "HOT"
set xrange [-0.5:8.5]
set format x ""
set xtics 1
set multiplot layout 2,1 margins 0.1,0.95,0.14,0.97 spacing 0.06
set arrow 1 from graph 0, first PERPLEXITY_mean to graph 1, first PERPLEXITY_mean nohead ls 10
set label 1 "corpus" at graph 0.07, first PERPLEXITY_mean left offset 0, 0.6
set arrow 2 from 8, 2.62 to 8, 2.74 lw 2 lc rgb "#0072B2"
set label 2 sprintf("%.1f to %.1f", HOT_min, HOT_max) at 7.9, 2.69 right
set ylabel "perplexity"
set yrange [1.7:2.75]
plot csv using (at(column("place"))):(of(column("perplexity"))) with points lt 1 ps 0.8
unset arrow 2
unset label 2
set arrow 1 from graph 0, first DISTINCT_mean to graph 1, first DISTINCT_mean nohead ls 10
set arrow 2 from graph 0, first IN_TEXTS_mean to graph 1, first IN_TEXTS_mean nohead ls 10
set label 1 "corpus, all 24 texts together" at graph 0.07, first DISTINCT_mean left offset 0, -1.1
set label 2 "corpus, each text by itself" at graph 0.07, first IN_TEXTS_mean left offset 0, -1.1
set ylabel "distinct 4-grams"
set yrange [0:1.05]
set key bottom right
set format x "%s"
set xtics ()
do for [i=0:8] { set xtics add (word(strategies, i + 1) i) }
set xtics rotate by -20
plot csv using (at(column("place"))):(of(column("in_texts"))) with points lt 3 ps 0.9 title "each text by itself", \
     csv using (at(column("place"))):(of(column("distinct"))) with points lt 2 ps 0.8 title "all texts together"
unset multiplot

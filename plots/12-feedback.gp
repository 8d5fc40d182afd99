# Chapter 12: how likely a sentence is after it was said 0, 1, 2 ... times; three seeds.
csv = data."/12-feedback.csv"
of(seed, y) = column("seed") == seed ? y : NaN
set xlabel "times the sentence stands in the story already"
set ylabel "probability of a token of it (geometric mean)"
set xrange [-0.3:7.3]
set yrange [0:0.5]
plot for [s=1:3] csv using "said_before":(of(s, column("probability"))) lt s title "seed ".s

# Chapter 19: beta times the margin between a right answer and a wrong one over the steps of DPO, by the share of votes that are
# wrong. Points are models, lines their means. The dashed lines are the margins that are best for such votes, ln((1 - e) / e); where
# no vote is wrong there is none, and the margin grows.
csv = data."/preferences.csv"
of(e) = column("error") == e && column("once") == 0 ? column("margin") : NaN
set xlabel "step"
set ylabel "beta times the margin, in nats"
set xrange [0:*]
set yrange [0:6]
unset key
set rmargin 15
set label 1 "no vote wrong" at graph 0.50, graph 0.92 tc rgb "#0072B2"
set label 2 "1 vote in 20" at graph 1.01, first 2.944 tc rgb "#D55E00"
set label 3 "1 in 10" at graph 1.01, first 2.197 tc rgb "#009E73"
set label 4 "1 in 5" at graph 1.01, first 1.386 tc rgb "#CC79A7"
array e[4] = [0, 0.05, 0.1, 0.2]
best(x) = log((1 - x) / x)
plot for [i=2:4] best(e[i]) with lines ls 10 notitle, \
     for [i=1:4] csv using "step":(of(e[i])) with points lt i ps 0.3 notitle, \
     for [i=1:4] csv using "step":(of(e[i])) smooth unique with lines lt i notitle

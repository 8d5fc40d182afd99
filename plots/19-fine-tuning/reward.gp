# Chapter 19: the share of right answers after a reward for them, by beta, the price of a nat of distance from the model before.
# Points are models, dashed lines the means of the optima: of a reward less its group's mean, and of one that is also divided by its
# group's standard deviation.
csv = data."/reward.csv"
of(way, y) = strcol("way") eq way ? column(y) : NaN
set logscale x 2
set xlabel "beta"
set ylabel "share of right answers"
set xrange [2.4:0.21]
set xtics ("2" 2, "1" 1, "1/2" 0.5, "1/4" 0.25)
set yrange [0:1]
unset key
set label 1 "less the group's mean" at 0.42, 0.40 tc rgb "#0072B2"
set label 2 "also divided by its\nstandard deviation" at 1.9, 0.66 tc rgb "#D55E00"
set label 3 "before" at 2.3, 0.06 tc rgb "#444444"
plot csv using "beta":(of("centred", "optimum")) smooth unique with lines ls 10 notitle, \
     csv using "beta":(of("divided", "optimum")) smooth unique with lines ls 10 notitle, \
     csv using "beta":(of("centred", "before")) smooth unique with lines lc rgb "#bbbbbb" lw 1.5 notitle, \
     csv using "beta":(of("centred", "after")) with points lt 1 notitle, \
     csv using "beta":(of("divided", "after")) with points lt 2 notitle

# Chapter 19: what is learned of a new language against what is forgotten of the old one, after 200 steps: LoRA of three ranks, all
# weights, and all weights with a tenth of old stories. A curve joins the means at four learning rates; the ring is the rate with
# which the new language is learned best. The lower left is best.
csv = data."/ranks.csv"
stats csv skip 1 using 9 nooutput
seeds = STATS_records / 24
set print $means
do for [i=0:23] {
    stats csv skip 1 every ::(i * seeds)::((i + 1) * seeds - 1) using 9:10 name "cost" nooutput
    stats csv skip 1 every ::(i * seeds)::((i + 1) * seeds - 1) using 6 name "best" nooutput
    print sprintf("%d,%g,%g,%d", i / 4, cost_mean_x, cost_mean_y, best_max)
}
unset print
set xlabel "nats that a new story costs above its entropy"
set ylabel "nats that an old story costs more than before"
set xrange [0:38]
set yrange [0:33]
unset key
set linetype 6 lc rgb "#555555" lw 2 pt 4 ps 0.7
set label 7 "rate 0.002" at 5.6, 31.2 left tc rgb "#0072B2"
set label 8 "0.00025" at 15.6, 13.6 center tc rgb "#0072B2"
set label 9 "0.00025" at 16.5, 6.3 center tc rgb "#009E73"
set label 1 "all weights" at 8, 25 tc rgb "#0072B2"
set label 2 "all weights, a tenth of old stories" at 9, 2.4 tc rgb "#009E73"
set label 3 "rank 16" at 20.8, 26 tc rgb "#E69F00"
set label 4 "rank 4" at 22.6, 20 tc rgb "#CC79A7"
set label 5 "rank 1" at 31.2, 19.2 tc rgb "#D55E00"
set label 6 "all but the tables" at 16.8, 31 left tc rgb "#555555"
array line[6] = [1, 3, 2, 4, 5, 6]
plot for [w=0:5] $means using ($1 == w ? $2 : NaN):3 with linespoints lt line[w + 1] notitle, \
     for [w=0:5] $means using ($1 == w && $4 == 1 ? $2 : NaN):3 with points lt line[w + 1] pt 6 ps 1.8 notitle

# Chapter 19: what is learned of a new language against what is forgotten of the old one, after 200 steps: LoRA of three ranks, all
# weights, and all weights with a tenth of old stories. Each at its own best rate. Points are models; the lower left is best.
csv = data."/ranks.csv"
of(way) = column("place") == way && column("best") == 1 ? column("forgotten") : NaN
set xlabel "nats that a new story costs above its entropy"
set ylabel "nats that an old story costs more"
set xrange [0:32]
set yrange [0:32]
set datafile missing NaN
unset key
set label 1 "all weights" at 9, 28 tc rgb "#0072B2"
set label 2 "all weights, a tenth replayed" at 9, 3.4 tc rgb "#009E73"
set label 3 "rank 16" at 14, 23 tc rgb "#E69F00"
set label 4 "rank 4" at 20, 20 tc rgb "#CC79A7"
set label 5 "rank 1" at 27, 17 tc rgb "#D55E00"
array line[5] = [1, 3, 2, 4, 5]
plot for [w=0:4] csv using "new":(of(w)) with points lt line[w + 1] ps 0.9 notitle

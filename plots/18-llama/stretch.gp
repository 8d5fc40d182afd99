# Chapter 18: loss against the position, of rotary models trained on 64 positions, with their frequencies stretched or not; on the
# left at once, on the right after 30 steps on windows of 192. Means of three seeds.
csv = data."/stretch-positions.csv"
of(o, t) = column("order") == o && column("tuned") == t ? column("loss") : NaN
set xrange [0:192]; set xtics 0,64
set yrange [0:5]
set datafile missing NaN
set arrow 1 from 64, graph 0 to 64, graph 1 nohead ls 10
array name[4] = ["as they were", "all pairs slower", "slow pairs (Llama 3)", "pair 3 alone"]
array colour[4] = ["#E69F00", "#D55E00", "#0072B2", "#009E73"]
set multiplot layout 1,2
set xlabel "position, bytes (means of 16)"
set ylabel "loss, nats a byte"
set title "at once"
unset key
plot for [i=0:3] csv using "position":(of(i, 0)) smooth unique with linespoints lw 2.5 pt 5 + 2 * i ps 0.6 lc rgb colour[i + 1]
set title "after 30 steps at the new length"
unset ylabel
set key top right
set arrow 1 from 64, 0 to 64, 3.4 nohead ls 10 # ends below the key
plot for [i=0:3] csv using "position":(of(i, 1)) smooth unique with linespoints lw 2.5 pt 5 + 2 * i ps 0.6 lc rgb colour[i + 1] title name[i + 1]
unset multiplot

# Loss after training by learning rate, with and without warm-up, for two depths.
file = data."/rates.csv"
loss(depth, placement, warm, y) = column(1) == depth && strcol(2) eq placement && (column(3) > 0) == warm ? column(y) : NaN
# The four runs are drawn side by side at each rate, a few pixels apart.
beside(k) = column(4) * 1.05 ** k
stats file skip 1 using 1 nooutput
shallow = STATS_min; deep = STATS_max
stats file skip 1 using 5 nooutput
guess = STATS_max
set logscale x
set xrange [0.0004:0.08]
set yrange [0.65:1.95]
set xtics ("0.0005" 0.0005, "0.001" 0.001, "0.002" 0.002, "0.004" 0.004, "0.008" 0.008, "0.016" 0.016, "0.032" 0.032, "0.064" 0.064) rotate by 45 right
set xlabel "peak learning rate" offset 0,-0.5
unset key
if (terminal eq "svg") set terminal svg size 960,440 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.08,0.985,0.2,0.9 spacing 0.03
set ylabel "loss of the last 20 steps (nats)"
do for [depth in sprintf("%d %d", shallow, deep)] {
    set title depth." layers"
    if (depth + 0 == shallow) {
        set label 1 "guessing" at 0.00045, guess + 0.05 tc rgb "#444444"
        set label 2 "post-LN" at 0.0105, 1.5 right tc rgb "#0072B2"
        set label 3 "post-LN + warm-up" at 0.0185, 1.07 left tc rgb "#56B4E9"
        set label 4 "pre-LN + warm-up" at 0.0185, 0.91 left tc rgb "#E69F00"
        set label 5 "pre-LN" at 0.0012, 0.76 left tc rgb "#D55E00"
    } else { do for [i=1:5] { unset label i } }
    plot for [s=8:12] file skip 1 using (beside(-1.5)):(loss(depth + 0, 'post-LN', 0, s)) with points lc rgb "#880072B2" pt 7 ps 0.4 notitle, \
         for [s=8:12] "" skip 1 using (beside(-0.5)):(loss(depth + 0, 'post-LN', 1, s)) with points lc rgb "#8856B4E9" pt 7 ps 0.4 notitle, \
         for [s=8:12] "" skip 1 using (beside(0.5)):(loss(depth + 0, 'pre-LN', 0, s)) with points lc rgb "#88D55E00" pt 7 ps 0.4 notitle, \
         for [s=8:12] "" skip 1 using (beside(1.5)):(loss(depth + 0, 'pre-LN', 1, s)) with points lc rgb "#88E69F00" pt 7 ps 0.4 notitle, \
         guess with lines ls 10, \
         "" skip 1 using (beside(-1.5)):(loss(depth + 0, 'post-LN', 0, 6)) lt 1, \
         "" skip 1 using (beside(-0.5)):(loss(depth + 0, 'post-LN', 1, 6)) lt 6, \
         "" skip 1 using (beside(0.5)):(loss(depth + 0, 'pre-LN', 0, 6)) lt 2, \
         "" skip 1 using (beside(1.5)):(loss(depth + 0, 'pre-LN', 1, 6)) lt 5
    unset ylabel
    set format y ""
}
unset multiplot

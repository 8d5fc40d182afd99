# Loss curves with and without a residual connection and a norm, at 6 and at 24 layers, each at its best learning rate.
set linetype 7 lc rgb "#000000" lw 2 pt 3 ps 0.7
set linetype 8 lc rgb "#888888" lw 2 pt 6 ps 0.7
file = data."/two-by-two-curves.csv"
loss(layers, cell) = column(1) == layers && strcol(2) eq cell ? column(4) : NaN
stats data."/two-by-two.csv" skip 1 using 8 nooutput
guess = STATS_max
stats file skip 1 using 3 nooutput
last = STATS_max
set logscale y
set yrange [0.75:6]
set xrange [0:last]
set ytics (0.8, 1, 1.2, 1.5, 2, 3, 4, 6)
set xlabel "training step"
set key at graph 0.98, 0.98 right samplen 2
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.08,0.985,0.15,0.9 spacing 0.03
set ylabel "loss, mean of 20 steps and of all seeds (nats)"
do for [layers in "6 24"] {
    set title layers." layers"
    plot guess with lines ls 10 title "guessing", \
         file skip 1 using 3:(loss(layers + 0, 'residual')) every 2 lt 4 title "residual, no norm", \
         "" skip 1 using 3:(loss(layers + 0, 'norm')) every 2 lt 7 title "norm, no residual", \
         "" skip 1 using 3:(loss(layers + 0, 'neither')) every 2 lt 8 title "neither", \
         "" skip 1 using 3:(loss(layers + 0, 'post-LN')) every 2 lt 1 title "both: post-LN", \
         "" skip 1 using 3:(loss(layers + 0, 'pre-LN')) every 2 lt 2 title "both: pre-LN"
    unset ylabel
    set format y ""
    unset key
}
unset multiplot

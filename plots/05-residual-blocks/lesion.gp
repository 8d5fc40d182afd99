# The loss of a trained stack of eight layers with one of them removed, and with two neighbours in the other order.
set linetype 7 lc rgb "#000000" lw 2 pt 3 ps 0.7
file = data."/lesion.csv"
of(stack, seed, y) = strcol(1) eq stack && (seed == 0 || column(2) == seed) ? column(y) : NaN
stats data."/two-by-two.csv" skip 1 using 8 nooutput
guess = STATS_max
set yrange [0.6:5]
set xrange [0.5:8.5]
set xtics 1
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.08,0.985,0.15,0.9 spacing 0.06
set ylabel "loss of the trained stack (nats)"
unset key
do for [i=1:2] {
    set xrange [0.5:(i == 1 ? 8.5 : 7.5)]
    set title i == 1 ? "one layer removed" : "two neighbours swapped"
    set xlabel i == 1 ? "layer that is removed" : "layer l that is swapped with l + 1"
    plot guess with lines ls 10 title "guessing", \
         for [k=1:3] file skip 1 using 3:(of('norm', k, 4 + i)) lt 7 title (k == 1 ? "norm(F(x))" : ""), \
         for [k=1:3] "" skip 1 using 3:(of('norm', k, 4)) with lines lt 7 lw 1.5 dt 3 title (k == 1 ? "  untouched" : ""), \
         for [k=1:3] "" skip 1 using 3:(of('pre-LN', k, 4 + i)) lt 2 title (k == 1 ? "x + F(norm x)" : ""), \
         for [k=1:3] "" skip 1 using 3:(of('pre-LN', k, 4)) with lines lt 2 lw 1.5 dt (2, 4) title (k == 1 ? "  untouched" : "")
    unset ylabel
    set key top right
}
unset multiplot

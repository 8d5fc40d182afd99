# The gradient of each layer, averaged over more and more inputs before its norm is taken.
file = data."/expected-gradient.csv"
pick(placement, seed, y) = strcol(1) eq placement && strcol(2) eq seed ? column(y) : NaN
set logscale y
set yrange [0.08:12]
set ytics (0.1, 0.2, 0.5, 1, 2, 5, 10)
set xrange [0.5:12.5]
set xtics (1, 3, 6, 9, 12)
set xlabel "layer l"
unset key
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.09,0.99,0.13,0.9 spacing 0.03
set ylabel "gradient norm of the second weight"
do for [p in "post-LN pre-LN"] {
    set title p
    plot for [k=1:6] file skip 1 using 3:(pick(p, ''.k, 4)) with lines lc rgb "#bb0072B2" lw 1 notitle, \
         for [k=1:6] "" skip 1 using 3:(pick(p, ''.k, 6)) with lines lc rgb "#bbD55E00" lw 1 notitle, \
         "" skip 1 using 3:(pick(p, 'mean', 4)) lt 1 title "one input", \
         "" skip 1 using 3:(pick(p, 'mean', 5)) lt 3 title "mean of a batch of 32", \
         "" skip 1 using 3:(pick(p, 'mean', 6)) lt 2 title "mean of 2048: expected", \
         "" skip 1 using 3:(pick(p, 'mean', 7)) with lines ls 10 title "theory for one input"
    unset ylabel
    set format y ""
    set key bottom right samplen 2
}
unset multiplot

# f16 by the scale of the loss: left the share of gradients that become 0, right the validation loss. Points are seeds, lines their means.
file = data."/mixed-precision.csv"
of(kind, c) = strcol(1) eq kind ? column(c) : NaN
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
set datafile missing NaN
stats file skip 1 using (of("float32", 4)) nooutput
float32 = STATS_mean
set multiplot layout 1,2 margins 0.085,0.985,0.16,0.95 spacing 0.1
set logscale x 2
set format x "2^{%L}"
set xtics 16
set xrange [2**-14.0 : 2**22.0]
set xlabel "scale of the loss"
set ylabel "gradients that become 0 (share)"
set yrange [0:1]
unset key
plot file skip 1 using (of("f16", 2)):6 with points lt 2 ps 0.4, \
     "" skip 1 using (of("f16", 2)):6 smooth unique with linespoints lt 2
set ylabel "validation loss (nats a token)"
set logscale y
set yrange [1:10]
set ytics (1, 1.2, 1.5, 2, 3, 4, 6, 10)
set key at graph 0.9, 0.97 right samplen 2
plot float32 with lines ls 10 title "float32", \
     file skip 1 using (of("f16", 2)):4 with points lt 2 ps 0.4 notitle, \
     "" skip 1 using (of("f16", 2)):4 smooth unique with linespoints lt 2 title "f16"
unset multiplot

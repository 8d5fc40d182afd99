# Weights of random queries and keys by head_dim, with the division by its root and without: entropy, the length of the
# gradient of a row's scores, and the share of rows where it is nearly nothing. Dashed: d^(-1/2).
if (terminal eq "svg") set terminal svg size 960,420 font "sans-serif,13" background "white"
file = data."/scale.csv"
of(scaled, y) = strcol("scaled") eq scaled ? column(y) : NaN
at(y, d) = column("head_dim") == d && strcol("scaled") eq "no" ? column(y) : NaN
stats file using "even" nooutput
even = STATS_max
set logscale x 4
set xtics ("4" 4, "16" 16, "64" 64, "256" 256, "1024" 1024, "4096" 4096)
set xrange [3:5500]
set xlabel "d, the head's dimension"
set multiplot layout 1,3 margins 0.06,0.985,0.13,0.9 spacing 0.065
do for [y in "entropy gradient asleep"] {
    if (y eq "asleep") { set ytics 0.2; unset logscale y; set yrange [-0.03:1] } else { set logscale y 10 }
    if (y eq "entropy") { set yrange [0.04:9]; set title "entropy of a row (nats)" }
    if (y eq "gradient") { set ytics (0.02, 0.05, 0.1, 0.2, 0.4); set yrange [0.015:0.5]; set title "gradient of a row's scores" }
    if (y eq "asleep") { set title "share of rows with a gradient below 0.01" }
    if (y eq "entropy") { set key bottom left } else { unset key }
    if (y ne "asleep") { stats file using (at(y, 4096)) nooutput; c = STATS_mean * 64 }
    plot file using "head_dim":(of("no", y)) with points lc rgb "#88D55E00" pt 5 ps 0.4 notitle, \
         file using "head_dim":(of("yes", y)) with points lc rgb "#880072B2" pt 7 ps 0.4 notitle, \
         file using "head_dim":(of("no", y)) smooth unique with linespoints lt 2 title "q k", \
         file using "head_dim":(of("yes", y)) smooth unique with linespoints lt 1 title "q k / √d", \
         (y eq "asleep" || x < 60 ? NaN : c / sqrt(x)) with lines ls 10 title "d^{-1/2}", \
         (y eq "entropy" ? even : NaN) with lines ls 10 dt 3 title "ln 64: even"
}
unset multiplot

# Time and memory of a layer of attention, forward and backward, by the length of the text: with a table of weights and
# without one.
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
file = data."/cost.csv"
of(kind, y) = strcol("kind") eq kind ? column(y) : NaN
last(kind, y) = column("length") == longest ? of(kind, y) : NaN
stats file using "length" nooutput
longest = STATS_max
set logscale x 2; set logscale y 10
set xrange [110:longest * 1.15]
set xlabel "length T"
set multiplot layout 1,2 margins 0.08,0.985,0.13,0.9 spacing 0.09
do for [y in "ms megabytes"] {
    set title y eq "ms" ? "milliseconds of processor time" : "megabytes"
    stats file using (last("plain", y)) nooutput; plain = STATS_max
    stats file using (last("online", y)) nooutput; online = STATS_max
    if (y eq "ms") { set key top left } else { unset key }
    k = y eq "ms" ? 2 : 1
    plot plain * (x / longest) ** 2 with lines ls 10 title "theory: T^2, T", \
         online * (x / longest) ** (y eq "ms" ? 2 : 1) with lines ls 10 notitle, \
         file using "length":(of("plain", y)) lt 1 title "with a table", \
         file using "length":(of("online", y)) lt 2 title "online"
}
unset multiplot

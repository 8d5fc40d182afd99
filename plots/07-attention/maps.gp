# Weights of two trained heads on one sentence that repeats itself: a row looks, a column is looked at.
if (terminal eq "svg") set terminal svg size 880,470 font "sans-serif,13" background "white"
file = data."/maps.csv"
# The period: where the first word stands again.
stats file using (column("t") == 0 && column("s") == 0 ? column("word") : NaN) nooutput
first = STATS_min
stats file using (column("t") == 0 && column("s") > 0 && column("word") == first ? column("s") : NaN) nooutput
p = STATS_min
set palette defined (0 "#ffffff", 0.3 "#9ecae1", 0.6 "#0072B2", 1 "#08204a")
set cbrange [0:1]
set xrange [-0.5:31.5]; set yrange [31.5:-0.5]
set xtics 8; set ytics 8
set size square
unset grid
# White cells are not drawn.
set style fill solid noborder
of(y) = column(y) < 0.01 ? NaN : column("t")
set xlabel "position looked at"; set ylabel "position that looks"
set key at graph 0.97, 0.93 samplen 2
set multiplot layout 1,2 margins 0.07,0.9,0.12,0.92 spacing 0.08
unset colorbox
set title "first layer: one word back"
plot file using "s":(of("previous")):(0.5):(0.5):"previous" with boxxyerror fc palette notitle, \
     '+' using ($0 * 31):($0 * 31 + 1) every ::0::1 with lines ls 10 title "one back"
set colorbox
set title "second layer: after the earlier copy"
plot file using "s":(of("induction")):(0.5):(0.5):"induction" with boxxyerror fc palette notitle, \
     for [k=1:3] '+' using (1 + $0 * (31 - k * p)):(k * p + $0 * (31 - k * p)) every ::0::1 with lines ls 10 \
         title (k == 1 ? "after a copy" : "")
unset multiplot

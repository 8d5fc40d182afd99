# The validation loss while four models train that differ in their learning rate alone. Lines are means of three seeds, points seeds.
file = data."/schedule.csv"
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
of(kind, c) = strcol(1) eq kind ? column(c) : NaN
set datafile missing NaN
stats file skip 1 using 2 nooutput
last = STATS_max
kinds = "cosine stopped-half-way constant constant-low"
titles = "'cosine to 800' 'to 1600, stopped' 'constant' 'at a tenth'"
set multiplot layout 1,2 margins 0.1,0.985,0.14,0.93 spacing 0.1
set xrange [0:last * 1.03]
set xlabel "training step"
set ylabel "learning rate" offset 1,0
set yrange [0:0.0115]
unset key
low = 0.001; high = 0.01; up = last / 10.0
half(t, end) = low + (high - low) * (1 + cos(pi * (t - up) / (end - up))) / 2
f(i, t) = i == 4 ? (t < up ? low * t / up : low) : t < up ? high * t / up : i == 3 ? high : half(t, i == 1 ? last : 2 * last)
set samples 400
plot [t=0:last] for [i=1:4] f(i, t) with lines lt i notitle
set ylabel "validation loss (nats a token)"
set logscale y
set yrange [0.83:1.8]
set ytics (0.9, 1, 1.1, 1.2, 1.4, 1.6, 1.8)
set key bottom left Left reverse samplen 1
plot for [i=1:4] file skip 1 using 2:(of(word(kinds, i), 5)) with points lt i ps 0.3 notitle, \
     for [i=1:4] file skip 1 using 2:(of(word(kinds, i), 5)) smooth unique with linespoints lt i title word(titles, i)
unset multiplot

# Final loss by the length of the warm-up at one peak rate. Left: post-LN. Right: pre-LN, and pre-LN without warm-up on as many
# steps at the full rate as the warm-up leaves.
file = data."/warmup-length.csv"
of(line, y) = strcol("line") eq line ? y : NaN
x(steps) = steps > 0 ? steps : 2.5
set datafile missing NaN
set logscale x
set xrange [2:500]
set xtics ("none" 2.5, "5" 5, "10" 10, "20" 20, "50" 50, "100" 100, "200" 200, "400" 400)
set xlabel "steps of warm-up, of 1000"
if (terminal eq "svg") set terminal svg size 960,400 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.08,0.985,0.15,0.9 spacing 0.09
set ylabel "loss of the last 20 steps (nats)"
set title "post-LN"
set yrange [1:1.9]
unset key
plot file using (x(column("warmup"))):(of("post-LN", column("loss"))) with points lc rgb "#880072B2" pt 7 ps 0.4 notitle, \
     "" using (x(column("warmup"))):(of("post-LN", column("loss"))) smooth unique with linespoints lt 1 notitle
set title "pre-LN, minus the same seed without warm-up"
set ylabel "difference of the loss (nats)"
set yrange [-0.04:0.1]
set key top left Left reverse samplen 2
plot 0 with lines lc rgb "#888888" lw 1 notitle, \
     file using (x(column("warmup")) * 0.97):(of("pre-LN", column("minus_none"))) with points lc rgb "#88D55E00" pt 7 ps 0.4 notitle, \
     "" using (x(column("warmup"))):(of("pre-LN", column("minus_none"))) smooth unique with linespoints lt 2 title "warm-up over T steps", \
     "" using (x(column("warmup")) * 1.03):(of("shortened", column("minus_none"))) with points lc rgb "#88009E73" pt 9 ps 0.5 notitle, \
     "" using (x(column("warmup"))):(of("shortened", column("minus_none"))) smooth unique with linespoints lt 3 title "no warm-up, T/2 steps fewer"
unset multiplot

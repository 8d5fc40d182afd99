# Norms at the entrance of each branch, at its exit, at both, by learning rate: the loss minus that at the entrance, and the largest mean square of the
# stream after training.
file = data."/both-ends.csv"
of(norm, y) = strcol("norm") eq norm ? y : NaN
set datafile missing NaN
set logscale x
set xrange [0.0004:0.08]
set xtics ("0.0005" 0.0005, "0.001" 0.001, "0.002" 0.002, "0.004" 0.004, "0.008" 0.008, "0.016" 0.016, "0.032" 0.032, "0.064" 0.064) rotate by 45 right
set xlabel "peak learning rate" offset 0,-0.5
kinds = "entrance exit both"
names = "'at the entrance (pre-LN)' 'at the exit' 'at both ends'"
styles = "2 3 4"
points = "#88D55E00 #88009E73 #88CC79A7"
if (terminal eq "svg") set terminal svg size 960,440 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.085,0.985,0.2,0.95 spacing 0.09
set ylabel "loss minus pre-LN's, same seed (nats)"
set yrange [-0.13:0.1]
set key top left Left reverse samplen 2
plot for [i=2:3] file using "rate":(of(word(kinds, i), column("minus_entrance"))) with points lc rgb word(points, i) pt 7 ps 0.4 notitle, \
     for [i=1:3] "" using "rate":(of(word(kinds, i), column("minus_entrance"))) smooth unique with linespoints lt (word(styles, i) + 0) lw (i == 2 ? 4 : 2) title word(names, i)
set ylabel "largest |x_l|^2 / d after training"
set logscale y
set yrange [8:5e6]
set format y "10^{%T}"
set key top left Left reverse samplen 2
plot 13 with lines ls 10 title "before training: 1 + 12", \
     for [i=1:3] file using "rate":(of(word(kinds, i), column("stream"))) smooth unique with linespoints lt (word(styles, i) + 0) lw (i == 2 ? 4 : 2) title word(names, i)
unset multiplot

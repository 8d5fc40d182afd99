# Chapter 10: the loss of six small trained models by how much they have read, and the last positions once more. context.csv
if (terminal eq "svg") set terminal svg size 720,400 font "sans-serif,13" background "white"
csv = data."/context.csv"
of(s) = column("seed") == s ? column("loss") : NaN
set xlabel "tokens in front of the one predicted"
set multiplot layout 1,2 margins 0.105,0.98,0.14,0.91 spacing 0.09
set title "the whole window"
set ylabel "loss (nats a token)"
set logscale x 2
set xrange [0.9:80]
set yrange [0:2.4]
unset key
plot for [s=1:6] csv using "before":(of(s)) with lines lt s
unset logscale x
unset ylabel
set title "its last positions"
set xrange [47.5:64.7]
set xtics 48, 4
set yrange [0.25:0.55]
set key top left
plot for [s=1:6] csv using "before":(of(s)) with linespoints lt s pt s ps 0.6 title sprintf("seed %d", s)
unset multiplot

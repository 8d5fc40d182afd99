# ReZero's alphas: left, 32 layers during training; right, the mean |alpha| at the end against depth.
file = data."/alphas.csv"
of(layer) = column(1) == 32 && column(3) == layer ? column(4) : NaN
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.09,0.985,0.15,0.9 spacing 0.11
set datafile missing NaN
set title "32 layers"
set xlabel "training step"
set ylabel "ReZero's alpha, one line for each layer"
set yrange [-0.12:0.14]
set key top left samplen 2
plot 0 with lines ls 10 notitle, \
     for [l=1:32] file skip 1 using 2:(of(l)) with lines lc rgb "#880072B2" lw 1 notitle
set key default
set title "after training"
set xlabel "depth L (sublayers)"
set ylabel "mean |alpha| over layers"
set logscale xy
set xrange [6:85]
set yrange [0.01:0.2]
set xtics (8, 16, 32, 64)
set ytics (0.01, 0.02, 0.05, 0.1, 0.2)
set key bottom left
plot 0.124 * 8 / x with lines ls 10 title "as 1/L", \
     0.124 * sqrt(8 / x) with lines ls 10 dt 3 title "as 1/√L", \
     data."/alphas-mean.csv" skip 1 using 1:2 lt 4 title "mean of three seeds"
unset multiplot

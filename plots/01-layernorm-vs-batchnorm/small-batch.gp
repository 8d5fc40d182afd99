# Chapter 01: training a small network with ever smaller batches. Left, BatchNorm's loss during training: means of five seeds,
# bands from the smallest to the largest, the darker the larger the batch. Right, where the three norms end.
if (terminal ne "dumb") { set terminal svg size 800,470 font "sans-serif,13" background "white"; set output out }
csv = data."/small-batch.csv"
only(norm, batch, y) = strcol("norm") eq norm && column("batch") == batch ? y : NaN
batches = "1 2 4 16 64"
# From the colour that BatchNorm has on the right to nearly black; none is pale.
shades = "#D55E00 #C2247A #8A2BA0 #4B2A8C #1A1A1A"
markers = "8 12 6 9 5"
marked(i, y) = int(column("samples") / 2048) % 5 == i - 1 ? only("batch", word(batches, i) + 0, y) : NaN
last(norm, y) = strcol("norm") eq norm && column("samples") == S_max ? y : NaN
stats csv using "samples" name "S" nooutput
stats csv using (strcol("norm") eq "batch" && column("batch") == 1 && column("samples") == S_max ? column("evaluated") : NaN) name "E" nooutput
set multiplot layout 1,2
set bmargin 8
set yrange [-0.02:0.8]
set style fill transparent solid 0.2 noborder
set title "BatchNorm while it trains"
set xlabel "thousands of samples seen"
set ylabel "training loss (nats a point)"
set xtics 0,16,64
set xrange [-1:67]
set key at screen 0.28, screen 0.01 bottom center horizontal maxcols 3 samplen 2 width -2 reverse Left
plot log(2) with lines ls 10 title "guessing: ln 2", \
     for [i=1:5] csv using (column("samples")/1000):(only("batch", word(batches, i) + 0, column("loss_min"))): \
         (column("loss_max")) with filledcurves lc rgb word(shades, i) notitle, \
     for [i=1:5] csv using (column("samples")/1000):(only("batch", word(batches, i) + 0, column("loss"))) with lines lc rgb word(shades, i) lw 2 notitle, \
     for [i=1:5] csv using (column("samples")/1000):(marked(i, column("loss"))) with points lc rgb word(shades, i) pt (word(markers, i) + 0) ps 0.9 notitle, \
     for [i=1:5] keyentry with linespoints lc rgb word(shades, i) lw 2 pt (word(markers, i) + 0) ps 0.9 title "batch ".word(batches, i)
set title "All three at the end"
set xlabel "batch size"
set ylabel "loss (nats a point)"
set logscale x 2
set xrange [0.7:90]
set xtics (1, 2, 4, 16, 64)
set key at screen 0.78, screen 0.01 bottom center horizontal maxcols 2 samplen 2 width -3 reverse Left
set arrow 1 from 1,0.74 to 1,0.79 lc rgb "#D55E00" lw 1.5
set label 1 sprintf("%.0f with running statistics", E_mean) at 1.15,0.77 left tc rgb "#D55E00"
plot log(2) with lines ls 10 notitle, \
     csv using "batch":(last("batch", column("loss"))):"loss_min":"loss_max" with yerrorbars lt 2 ps 0.9 title "BatchNorm, in training", \
     csv using (column("batch")*1.1):(last("batch", column("evaluated"))):"evaluated_min":"evaluated_max" with yerrorbars lt 2 pt 4 ps 0.9 title "BatchNorm, running statistics", \
     csv using (column("batch")*1.1):(last("layer", column("loss"))):"loss_min":"loss_max" with yerrorbars lt 1 ps 0.9 title "LayerNorm", \
     csv using (column("batch")/1.1):(last("none", column("loss"))):"loss_min":"loss_max" with yerrorbars lt 3 ps 0.9 title "no norm"
unset multiplot

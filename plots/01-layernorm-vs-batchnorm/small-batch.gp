# Chapter 01: the loss at the end of training with ever smaller batches, for three norms; BatchNorm's also with the running
# statistics, but for batch 1, where it is far above the frame.
csv = data."/small-batch.csv"
set datafile missing NaN # so that lines go on over the rows of the other runs
stats csv using "samples" name "S" nooutput
last(norm, y) = strcol("norm") eq norm && column("samples") == S_max ? y : NaN
set title "BatchNorm stops learning as the batch shrinks"
set xlabel "batch size"
set ylabel "loss at the end (nats a point)"
set logscale x 2
set xrange [0.8:160]
set xtics (1, 2, 4, 16, 64)
set yrange [-0.02:0.8]
unset key
set label 1 "guessing: ln 2" at 150,0.72 right tc rgb "#444444"
set label 2 "BatchNorm" at 11,0.6 left tc lt 2
set label 3 "BatchNorm judged with\nits running statistics" at 7,0.36 right tc lt 2
set label 4 "LayerNorm" at 5,0.05 tc lt 1
set label 5 "no norm" at 72,0.09 tc lt 3
judged = 'last("batch", column("batch") > 1 ? column("evaluated") : NaN)'
plot log(2) with lines ls 10, \
     csv using "batch":(last("batch", column("loss"))) with lines lt 2, \
     csv using "batch":(@judged) with lines lt 2 dt 3, \
     csv using "batch":(last("batch", column("loss"))):"loss_min":"loss_max" with yerrorbars lt 2 ps 0.9, \
     csv using "batch":(@judged):"evaluated_min":"evaluated_max" with yerrorbars lt 2 pt 4 ps 0.9, \
     csv using (column("batch")/1.05):(last("layer", column("loss"))):"loss_min":"loss_max" with yerrorbars lt 1 ps 0.9, \
     csv using (column("batch")*1.05):(last("none", column("loss"))):"loss_min":"loss_max" with yerrorbars lt 3 ps 0.9

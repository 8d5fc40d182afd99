# Chapter 08: words drawn at random, causal models: the loss in training and afterwards, by the number of sentences in a batch.
file = data."/batchnorm-leak.csv"
of(norm, y) = strcol("norm") eq norm ? column(y) : NaN
set logscale x 2
set xrange [0.9:18]
set xtics (1, 2, 4, 8, 16)
set yrange [1:4.2]
set xlabel "sentences of 8 words in a training batch"
set ylabel "next-word loss (nats)"
set key top right
plot file using "batch":(of("BatchNorm", "exam")) with points lc rgb "#88009E73" pt 9 ps 0.4 notitle, \
     file using "batch":(of("BatchNorm", "training")) with points lc rgb "#88D55E00" pt 5 ps 0.4 notitle, \
     file using "batch":(of("BatchNorm", "exam")) smooth unique with linespoints lt 3 title "BatchNorm, afterwards: running statistics", \
     file using "batch":(of("LayerNorm", "exam")) smooth unique with linespoints lt 1 title "LayerNorm, afterwards", \
     file using "batch":(of("BatchNorm", "training")) smooth unique with linespoints lt 2 title "BatchNorm, in training", \
     file using "batch":"guess" smooth unique with lines ls 10 title "ln 16: nothing can be predicted", \
     file using "batch":"counts" smooth unique with lines ls 10 dt 3 title "if the words of the batch were told"

# Loss against step with each norm: every seed thin, the mean over the seeds thick, with its marker at steps of its own.
csv = data."/training.csv"
stats csv skip 1 using 2 name "S" nooutput
set xlabel "training step"
set ylabel "loss on new samples, nats"
set yrange [1:1.9]
set xrange [20:305]
set datafile missing NaN
only(norm, y) = strcol(1) eq norm ? y : NaN
one_seed(norm, seed, y) = strcol(1) eq norm && column(2) == seed ? y : NaN
names = "none layer prms rms"
titles = "'no norm' LayerNorm 'pRMSNorm, 6.25 %' RMSNorm"
colours = "#E69F00 #0072B2 #009E73 #D55E00"
markers = "11 7 9 4"
dash(i) = i == 4 ? 2 : 1
marked(i, y) = int(column(3) / 20) % 4 == i - 1 ? only(word(names, i), y) : NaN
plot for [i=1:4] for [seed=int(S_min):int(S_max)] csv skip 1 \
         using 3:(one_seed(word(names, i), seed, $4)) with lines lw 0.4 lc rgb word(colours, i) notitle, \
     for [i=1:4] csv skip 1 using 3:(only(word(names, i), $4)) smooth unique \
         with lines lw 3 dt dash(i) lc rgb word(colours, i) notitle, \
     for [i=1:4] csv skip 1 using 3:(marked(i, $4)) smooth unique with points pt (word(markers, i) + 0) ps 1.1 lw 2 \
         lc rgb word(colours, i) notitle, \
     for [i=1:4] keyentry with linespoints lw 3 dt dash(i) pt (word(markers, i) + 0) ps 1.1 lc rgb word(colours, i) title word(titles, i)

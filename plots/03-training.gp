# Loss against step with each norm: every seed thin, the mean over the seeds thick.
csv = data."/03-training.csv"
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
plot for [i=1:4] for [seed=int(S_min):int(S_max)] csv skip 1 \
         using 3:(one_seed(word(names, i), seed, $4)) with lines lw 0.4 lc rgb word(colours, i) notitle, \
     for [i=1:3] csv skip 1 using 3:(only(word(names, i), $4)) smooth unique with lines lw 3 lc rgb word(colours, i) \
         title word(titles, i), \
     csv skip 1 using 3:(only("rms", $4)) smooth unique with lines lw 3 dt 2 lc rgb word(colours, 4) title word(titles, 4)

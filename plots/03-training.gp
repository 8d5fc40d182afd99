# Loss against step with each norm: every seed thin, the mean over the seeds thick.
set xlabel "training step"
set ylabel "loss on new samples, nats"
set yrange [0.9:1.7]
set xrange [20:305]
csv = data."/03-training.csv"
# Step 0 is left out: there the line of a seed breaks off from the one before it.
only(norm, y) = strcol(1) eq norm && column(3) > 0 ? y : NaN
names = "none layer prms rms"
titles = "'no norm' LayerNorm 'pRMSNorm, 6.25 %' RMSNorm"
colours = "#E69F00 #0072B2 #009E73 #D55E00"
plot for [i=1:4] csv skip 1 using 3:(only(word(names, i), $4)) with lines lw 0.4 lc rgb word(colours, i) notitle, \
     for [i=1:3] csv skip 1 using 3:(only(word(names, i), $4)) smooth unique with lines lw 3 lc rgb word(colours, i) \
         title word(titles, i), \
     csv skip 1 using 3:(only("rms", $4)) smooth unique with lines lw 3 dt 2 lc rgb word(colours, 4) title word(titles, 4)

# Final loss of the same network with LayerNorm and with RMSNorm, against the mean of its inputs; a point a seed.
set logscale x
set xlabel "mean of the inputs (their standard deviation is 1)"
set ylabel "loss on new samples, nats"
at(x) = x == 0 ? 0.3 : x
set xtics ("0" 0.3, "1" 1, "3" 3, "10" 10, "30" 30, "100" 100)
set xrange [0.22:140]
set yrange [1:2]
unset key
set title "A mean that LayerNorm does not notice keeps RMSNorm from learning"
set label 1 "RMSNorm" at 5,1.5 right tc lt 2
set label 2 "LayerNorm" at 20,1.09 left tc lt 1
set label 3 "guessing by frequency" at 0.3,1.93 left tc rgb "#444444"
csv = data."/offset.csv"
plot csv skip 1 using (at($2)):5 smooth unique with lines ls 10, \
     csv skip 1 using (at($2)):4 smooth unique with lines lt 2 notitle, \
     csv skip 1 using (at($2)):4 with points lt 2, \
     csv skip 1 using (at($2)):3 smooth unique with lines lt 1 notitle, \
     csv skip 1 using (at($2)):3 with points lt 1

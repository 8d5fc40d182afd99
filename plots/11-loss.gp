# Loss of the small GPT-2 of `make tour` against the entropy of its language. Data: 11-loss.csv of chapter 11.
set xlabel "training step"
set ylabel "loss (nats a token)"
set logscale y
set ytics (0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3)
set yrange [0.66:1.3]
set key top right
file = data."/11-loss.csv"
plot file using 1:2 with lines lt 6 lw 1 title "training batch", \
     file using 1:3 with linespoints lt 1 title "validation", \
     file using 1:4 with lines ls 10 title "entropy of the validation text"

# Chapter 07: one layer of attention says the two words before, in their order: the loss at the end, with the division by the
# root of d and without.
file = data."/heads.csv"
set datafile missing NaN
end(divided) = column("step") == 400 && strcol("divided") eq divided ? column("loss") : NaN
set title "A wide head learns only if its scores are divided by √d"
set logscale y
set format y "%g"
set yrange [0.003:8]
set ytics (0.01, 0.03, 0.1, 0.3, 1, 3)
set xlabel "features of a head, d (the model has 64/d heads)"
set ylabel "loss after 400 steps (nats)"
set logscale x 2
set xrange [7:74]
set xtics (8, 16, 32, 64)
unset key
set label 1 "not divided" at 40,1.2 right tc lt 2
set label 2 "divided by √d" at 42,0.025 left tc lt 1
set label 3 "guessing" at 7.3,5.1 left tc rgb "#444444"
set label 4 "the two words without their order" at 7.3,0.74 left tc rgb "#444444"
plot log(64) with lines ls 10, 7 * log(2) / 8 with lines ls 10, \
     file using "head_dim":(end("no")) with points lc rgb "#88D55E00" pt 5 ps 0.4, \
     file using "head_dim":(end("yes")) with points lc rgb "#880072B2" pt 7 ps 0.4, \
     file using "head_dim":(end("no")) smooth unique with linespoints lt 2, \
     file using "head_dim":(end("yes")) smooth unique with linespoints lt 1

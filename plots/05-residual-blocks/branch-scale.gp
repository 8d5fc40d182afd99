# The loss of x + s F(x) against how large its branches start (experiment branch-scale of chapter 05).
set logscale x 2
set xlabel "size of a branch at the start, times the root of their number: s √N"
set ylabel "loss after 400 steps (nats)"
set xrange [0.1:11]
set yrange [0.7:2.5]
set xtics ("1/8" 0.125, "1/4" 0.25, "1/2" 0.5, "1" 1, "2" 2, "4" 4, "8" 8)
unset key
set title "Up to s √N = 1 every depth learns"
set label "4 layers" at 6.2,1.6 left tc lt 1
set label "16" at 5.9,2.36 left tc lt 2
set label "64 layers" at 4.3,2.3 right tc lt 3
csv = data."/branch-scale.csv"
stats data."/two-by-two.csv" skip 1 using 8 nooutput
guess = STATS_max
# A line to a point far above the frame would be a vertical stroke, so it ends before it and an arrow takes its place.
of(layers, y) = strcol(1) eq "plain" && column(2) == layers && column(5) <= 2.5 ? y : NaN
at(layers, factor) = strcol(1) eq "plain" && column(2) == layers ? column(3) * sqrt(layers) * factor : NaN
# The arrow begins at the last point within the frame, of s √N = 4, and points to where the next one is, far above.
leaving(layers, x) = strcol(1) eq "plain" && column(2) == layers && column(3) * sqrt(layers) == x ? x : NaN
start(layers) = column(5)
set arrow from 1, 0.7 to 1, 2.5 nohead ls 10
set label "s = 1/√N" at 1.06, 2.42 tc rgb "#444444"
set label "guessing" at 0.11, guess + 0.06 tc rgb "#444444"
plot guess with lines ls 10, \
     for [i=1:3] layers = word("4 16 64", i) + 0 csv skip 1 using (at(layers, 0.98 + 0.01 * i)):(of(layers, column(5))):6:7 \
         with yerrorlines lt word("1 2 3", i), \
     for [i=2:3] layers = word("4 16 64", i) + 0 csv skip 1 using (leaving(layers, 4)):(start(layers)):(layers == 16 ? 1.6 : 0.9):(2.47 - start(layers)) \
         with vectors nofilled lt word("1 2 3", i)

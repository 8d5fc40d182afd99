# Chapter 06: which word stood one position back? Trained on 32 positions, asked at 64. Means of five seeds.
csv = data."/extrapolation.csv"
only(kind, y) = strcol("kind") eq kind ? y : NaN
kinds = "distance learned sinusoidal none"
set title "Only scores by distance go on past the trained length"
set xlabel "position"; set ylabel "right answers"
set xrange [0:64]; set yrange [0:1.08]; set xtics 0,8
set ytics ("0 %%" 0, "25 %%" 0.25, "50 %%" 0.5, "75 %%" 0.75, "100 %%" 1)
unset key
set arrow 1 from 31.5, 0 to 31.5, 1.08 nohead ls 10
set label 1 "trained up to here" at 31, 0.55 right tc rgb "#444444"
set label 2 "scores by distance" at 38, 1.04 left tc lt 1
set label 3 "learned" at 33.5, 0.025 left tc lt 2
set label 4 "sinusoidal" at 52.5, 0.8 left tc lt 3
set label 5 "no positions" at 12, 0.27 left tc lt 4
plot for [i=1:4] csv using "place":(only(word(kinds, i), column("mean"))) lt i

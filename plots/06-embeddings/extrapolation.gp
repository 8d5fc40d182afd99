# Chapter 06: which word stood one position back? Trained on 32 positions, asked at 64. Means of five seeds; of the sinusoidal
# table each seed is drawn, thin.
csv = data."/extrapolation.csv"
each = data."/extrapolation-seeds.csv"
seed(k) = strcol("kind") eq "sinusoidal" && column("seed") == k ? column("right") : NaN
only(kind, y) = strcol("kind") eq kind ? y : NaN
kinds = "distance learned sinusoidal none"
titles = "'scores by distance' 'learned' 'sinusoidal' 'no positions'"
set xlabel "position"; set ylabel "right answers"
set xrange [0:64]; set yrange [0:1.05]; set xtics 0,8
set ytics ("0 %%" 0, "25 %%" 0.25, "50 %%" 0.5, "75 %%" 0.75, "100 %%" 1)
set arrow 1 from 31.5, 0 to 31.5, 1.05 nohead ls 10
set label 1 "trained up to here" at 31, 0.62 right tc rgb "#444444"
set key at graph 0.46, graph 0.53
plot for [k=1:5] each using "place":(seed(k)) with lines lc rgb "#009E73" lw 0.6 notitle, \
     for [i=1:4] csv using "place":(only(word(kinds, i), column("mean"))) lt i title word(titles, i)

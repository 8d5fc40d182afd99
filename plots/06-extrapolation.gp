# Chapter 06: which word stood one place back? Trained on 32 places, asked at 64. Means of five seeds; bands reach from the
# smallest to the largest.
csv = data."/06-extrapolation.csv"
only(kind, y) = strcol("kind") eq kind ? y : NaN
kinds = "distance learned sinusoidal none"
titles = "'scores by distance' 'learned' 'sinusoidal' 'no positions'"
set xlabel "place"; set ylabel "right answers"
set xrange [0:64]; set yrange [0:1.05]; set xtics 0,8
set ytics ("0 %%" 0, "25 %%" 0.25, "50 %%" 0.5, "75 %%" 0.75, "100 %%" 1)
set arrow 1 from 31.5, 0 to 31.5, 1.05 nohead ls 10
set label 1 "trained up to here" at 31, 0.62 right tc rgb "#444444"
set key at graph 0.46, graph 0.53
set style fill transparent solid 0.15 noborder
plot for [i=1:4] csv using "place":(only(word(kinds, i), column("low"))):(column("high")) with filledcurves lt i notitle, \
     for [i=1:4] csv using "place":(only(word(kinds, i), column("mean"))) lt i title word(titles, i)

# Chapter 06: three starts of the two tables. Mean of five seeds; bands reach from the smallest to the largest.
csv = data."/06-initialization.csv"
only(start, y) = strcol("start") eq start ? y : NaN
starts = "gpt2 ones xavier"
titles = "'both N(0, 0.02^2)' 'both N(0, 1)' 'words N(0, 0.0063^2), positions N(0, 1)'"
set xlabel "training step"; set ylabel "right answers"
set xrange [0:300]; set yrange [0.45:1.02]
set ytics ("50 %%" 0.5, "60 %%" 0.6, "70 %%" 0.7, "80 %%" 0.8, "90 %%" 0.9, "100 %%" 1)
set key at graph 0.98, graph 0.35
set style fill transparent solid 0.2 noborder
plot 0.95 with lines ls 10 title "95 %", \
     for [i=1:3] csv using "step":(only(word(starts, i), column("low"))):(column("high")) with filledcurves lt i notitle, \
     for [i=1:3] csv using "step":(only(word(starts, i), column("mean"))) lt i title word(titles, i)

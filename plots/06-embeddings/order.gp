# Chapter 06: which of two words comes first? Mean of five seeds; bands reach from the smallest to the largest.
csv = data."/order.csv"
only(model, y) = strcol("model") eq model ? y : NaN
models = "mask learned sinusoidal none"
set xlabel "training step"; set ylabel "right answers"
set xrange [0:400]; set yrange [0.45:1.02]
set format y "%.0f %%"; set ytics ("50 %%" 0.5, "60 %%" 0.6, "70 %%" 0.7, "80 %%" 0.8, "90 %%" 0.9, "100 %%" 1)
unset key
set label 1 "a mask, no positions" at 4, 1.003 left tc lt 1
set label 2 "learned" at 110, 0.942 left tc lt 2
set label 3 "sinusoidal" at 150, 0.88 left tc lt 3
set label 4 "no positions" at 300, 0.52 left tc lt 4
set style fill transparent solid 0.2 noborder
plot for [i=1:4] csv using "step":(only(word(models, i), column("low"))):(column("high")) with filledcurves lt i notitle, \
     for [i=1:4] csv using "step":(only(word(models, i), column("mean"))) lt i notitle

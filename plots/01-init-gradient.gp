# Chapter 01: the gradient of the first weight of an untrained network against the scale of its weights.
set title "Gradient at the start against the scale of the weights (three seeds)"
set xlabel "standard deviation of the initial weights"
set ylabel "gradient norm of the first weight"
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xrange [4e-5:1.5]
set yrange [1e-9:1e5]
set key bottom right
csv = data."/01-init-gradient.csv"
plot csv using "scale":"theory" every ::0::7 with lines ls 10 title "1 / scale", \
     csv using "scale":"batch_eps_0" with points lt 2 title "BatchNorm, eps = 0", \
     csv using "scale":"batch" with points lt 4 title "BatchNorm, eps = 10^{-5}", \
     csv using "scale":"layer_eps_0" with points lt 1 title "LayerNorm, eps = 0", \
     csv using "scale":"none" with points lt 3 title "no norm"

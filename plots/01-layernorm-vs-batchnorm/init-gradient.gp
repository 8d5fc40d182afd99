# Chapter 01: the gradient of the first weight of an untrained network against the scale of its weights.
set title "Gradient at the start against the scale of the weights (a line per seed)"
set xlabel "standard deviation of the initial weights"
set ylabel "gradient norm of the first weight"
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xrange [4e-5:1.5]
set yrange [1e-10:1e5]
set key bottom right
csv = data."/init-gradient.csv"
of(seed, y) = column("seed") == seed ? y : NaN
plot for [s=1:3] csv using "scale":(of(s, column("batch_eps_0"))) lt 2 lw 1 title s == 1 ? "BatchNorm, eps = 0" : "", \
     for [s=1:3] csv using "scale":(of(s, column("layer_eps_0"))) lt 1 lw 1 title s == 1 ? "LayerNorm, eps = 0" : "", \
     for [s=1:3] csv using "scale":(of(s, column("batch"))) lt 4 lw 1 title s == 1 ? "BatchNorm, eps = 10^{-5}" : "", \
     for [s=1:3] csv using "scale":(of(s, column("none"))) lt 3 lw 1 title s == 1 ? "no norm" : "", \
     csv using "scale":(of(1, column("theory"))) with lines ls 10 lw 2.5 title "1 / scale"

# The share of hidden units that no held-out place switches on, at a high learning rate (experiment dead-relus of chapter 04).
# Thin lines are seeds, thick ones their means.
csv = data."/dead-relus.csv"
only(rate, kind, seed, y) = column("rate") == rate && strcol("kind") eq kind && (seed == 0 || column("seed") == seed) ? 100 * y : NaN
set datafile missing NaN
stats csv using "seed" name "S" nooutput
set xlabel "training step"
set ylabel "units that are off at all 4096 places (%)"
set yrange [0:45]
set key top right
plot for [s=int(S_min):int(S_max)] csv using "step":(only(0.03, "relu", s, column("off"))) with lines lw 0.5 lc rgb "#D55E00" notitle, \
     for [s=int(S_min):int(S_max)] csv using "step":(only(0.03, "gelu", s, column("off"))) with lines lw 0.5 lc rgb "#0072B2" notitle, \
     csv using "step":(only(0.03, "relu", 0, column("off"))) smooth unique with linespoints lt 2 title "ReLU, rate 0.03", \
     csv using "step":(only(0.03, "gelu", 0, column("off"))) smooth unique with linespoints lt 1 title "GELU, rate 0.03"

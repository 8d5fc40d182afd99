# Chapter 06: one table for reading and writing, or two. Three seeds, at the best of four
# learning rates each; each language has its own floor.
csv = data."/tying.csv"
of(model, seed, y) = strcol("model") eq model && column("seed") == seed ? y : NaN
models = "tied untied narrow"
names = "'one table' 'two tables' 'two narrow tables'"
array titles[3]
do for [i=1:3] {
    stats csv using (of(word(models, i), 1, column("parameters"))) nooutput
    titles[i] = sprintf("%s, %d parameters", word(names, i), STATS_max)
}
set xlabel "training step"; set ylabel "loss above the entropy (nats)"
set logscale y; set yrange [0.14:3.2]; set xrange [0:1550]
set ytics (0.15, 0.2, 0.3, 0.5, 1, 2, 3)
plot for [i=1:3] for [k=1:3] csv using "step":(of(word(models, i), k, column("above"))) lt i lw 1.5 title (k == 1 ? titles[i] : "")

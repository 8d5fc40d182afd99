# A model, not a measurement: the share of a step that computes, by nodes, when each node keeps its work (weak scaling) and when
# all nodes share one batch (strong scaling; experiment scale of chapter 16).
csv = data."/efficiency.csv"
set title "a model, not a measurement: 124M parameters, 100 Gbit/s, overlap"
set logscale x 2
set xlabel "nodes"
set ylabel "share of a step that computes (efficiency)"
set xrange [0.9:600]
set yrange [0:1.05]
set key bottom left
plot csv using "nodes":"weak" lt 1 title "weak scaling: 8 windows at each node", \
     csv using "nodes":"strong" lt 2 title "strong scaling: 512 windows in all"

# Gradient norm of each block over the same training. Data: 11-loss.csv of chapter 11.
set title "Gradient norm of each block while the small GPT-2 learns (pre-LN)"
set xlabel "training step"
set ylabel "gradient norm (before clipping)"
set logscale y
file = data."/11-loss.csv"
stats file using 1 nooutput
every_nth = ceil(STATS_records / 80.0)
plot for [l=0:3] file using 1:(column(6 + l + 1)) every every_nth with linespoints lt (l + 1) title sprintf("block %d", l)

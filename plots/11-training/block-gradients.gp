# Gradient norm of each block over the training of make tour: means of 100 steps. Data: loss.csv.
file = data."/loss.csv"
# Before yrange, which would leave most of the steps out.
stats file skip 1 using 1 nooutput
width = ceil(STATS_records / 40.0)
set xlabel "training step"
set ylabel "gradient norm (before clipping)"
set logscale y
set yrange [0.015:1.5]
bin(step) = (floor((step - 1) / width) + 0.5) * width
names = "first second third fourth"
plot for [l=0:3] file skip 1 using (bin(column(1))):(column(6 + l + 1)) smooth unique with linespoints lt (l + 1) title word(names, l + 1)." block"

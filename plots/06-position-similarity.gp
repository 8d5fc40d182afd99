# How alike two positions are: sinusoidal rows know their distance, rows drawn at random know nothing.
set multiplot layout 1,2
set size square
set xlabel "position p"; set ylabel "position q"
set xrange [-0.5:63.5]; set yrange [-0.5:63.5]; set cbrange [-0.4:1]
set palette defined (-0.4 "#0072B2", 0 "#ffffff", 1 "#D55E00")
unset key; unset grid
set title "cosine, sinusoidal"
plot data."/06-position-similarity.csv" skip 1 using 1:2:3 with image
set title "cosine, N(0, 0.02^2)"
plot data."/06-position-similarity.csv" skip 1 using 1:2:4 with image
unset multiplot

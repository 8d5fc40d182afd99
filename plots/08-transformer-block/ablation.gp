# Chapter 08: steps that eight blocks need to add neighbouring digits, with one switch turned at a time: every seed a point.
file = data."/ablation.csv"
stats file skip 1 using 3 name "R" nooutput
never = 285
# The seeds that never get there stand side by side, or they would cover each other.
steps(x) = column(6) == 1 ? x : never + 4 * (column(4) - 3)
if (terminal eq "svg") set terminal svg size 720,420 font "sans-serif,13" background "white"
set xlabel "steps to a loss of 0.2 (running mean over 20 steps)"
set xrange [60:305]
set xtics (75, 100, 125, 150, 175, 200, 225, "never" never)
# Shown are parts left out, other norms and SwiGLU, which moves up to the place of ReLU.
row(y) = y == 4 ? 5 : y > 5 ? y : -y
set yrange [4.3:R_max + 0.7]
set ytics scale 0
set arrow 1 from 250, graph 0 to 250, graph 1 nohead ls 10
# Above the first line the whole block; then parts left out, other norms, another FFN.
do for [y in "13.5 9.5 5.5"] { set arrow from graph 0, first y + 0 to graph 1, first y + 0 nohead lc rgb "#999999" lw 0.7 }
set key at screen 0.97, 0.975 top right horizontal
set tmargin 2.5
set style data points
plot file skip 1 using (strcol(1) eq "scaled" && column(4) == 1 ? 0 : NaN):(row($3)):ytic(2) with points notitle, \
     "" skip 1 using (strcol(1) eq "scaled" ? steps($5) : NaN):(row($3) + 0.16) lt 1 pt 7 ps 0.6 title "scaled init (GPT-2)", \
     file skip 1 using (strcol(1) eq "unscaled" ? steps($5) : NaN):(row($3) - 0.16) lt 2 pt 4 ps 0.6 title "unscaled init"

# Chapter 08: steps that eight blocks need to add neighbouring digits, with one switch turned at a time: every seed a point.
file = data."/08-ablation.csv"
stats file skip 1 using 3 name "R" nooutput
never = 285
steps(x) = column(6) == 1 ? x : never
if (terminal eq "svg") set terminal svg size 720,520 font "sans-serif,13" background "white"
set xlabel "steps to a loss of 0.2 (running mean over 20 steps)"
set xrange [60:300]
set xtics (75, 100, 125, 150, 175, 200, 225, "never" never)
set yrange [0.3:R_max + 0.7]
set ytics scale 0
set arrow 1 from 250, graph 0 to 250, graph 1 nohead ls 10
set key at screen 0.97, 0.975 top right horizontal
set tmargin 2.5
set style data points
plot file skip 1 using (strcol(1) eq "scaled" && column(4) == 1 ? 0 : NaN):3:ytic(2) with points notitle, \
     "" skip 1 using (strcol(1) eq "scaled" ? steps($5) : NaN):($3 + 0.16) lt 1 pt 7 ps 0.6 title "scaled init (GPT-2)", \
     file skip 1 using (strcol(1) eq "unscaled" ? steps($5) : NaN):($3 - 0.16) lt 2 pt 4 ps 0.6 title "unscaled init"

# Chapter 10: a GPT-2 with one mistake. Left against PyTorch (10-mistakes.csv), right by the loss, of random and of trained models
# (10-mistakes-loss.csv).
if (terminal eq "svg") set terminal svg size 720,520 font "sans-serif,13" background "white"
set logscale x
set format x "10^{%T}"
set yrange [14.7:-0.7]
set border 1
set ytics nomirror noenhanced scale 0
set grid xtics ytics
set multiplot
csv = data."/10-mistakes.csv"
set lmargin at screen 0.205
set rmargin at screen 0.49
set tmargin at screen 0.89
set bmargin at screen 0.12
set xlabel "largest error of a logit"
set xrange [1e-6:100]
set xtics 100
unset key
set arrow 1 from 1e-4, -0.7 to 1e-4, 14.7 nohead ls 10 front
set label 1 "allowed" at 1.4e-4, 0 front
plot csv every ::1 using 2:0:ytic(1) with points lt 1 pt 7 ps 0.8
unset arrow 1
unset label 1
csv = data."/10-mistakes-loss.csv"
of(weights, sign) = strcol("weights") eq weights && sign * column("change") > 0 ? abs(column("change")) : NaN
set lmargin at screen 0.55
set rmargin at screen 0.97
set xlabel "change of the loss (nats a token)"
set xrange [1e-6:100]
set format y ""
set ytics 1
set key at screen 0.99, screen 0.985 top right Left reverse maxrows 2 samplen 1 width 1
set style data points
plot csv using (of("random", 1)):(column("order") - 0.18) lt 2 pt 4 ps 0.55 title "random weights, loss rises", \
     csv using (of("random", -1)):(column("order") - 0.18) lt 1 pt 5 ps 0.55 title "random weights, loss falls", \
     csv using (of("trained", 1)):(column("order") + 0.18) lt 2 pt 6 ps 0.55 title "trained, loss rises", \
     csv using (of("trained", -1)):(column("order") + 0.18) lt 1 pt 7 ps 0.55 title "trained, loss falls"
unset multiplot

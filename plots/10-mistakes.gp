# Chapter 10: a GPT-2 with one mistake. Left against PyTorch (10-mistakes.csv), right by the loss, of random models and of models
# in training (10-mistakes-loss.csv).
if (terminal eq "svg") set terminal svg size 720,520 font "sans-serif,13" background "white"
set logscale x
set format x "10^{%T}"
set yrange [-0.7:14.7]
set border 1
set ytics nomirror noenhanced scale 0
set multiplot
csv = data."/10-mistakes.csv"
set lmargin at screen 0.205
set rmargin at screen 0.5
set tmargin at screen 0.85
set bmargin at screen 0.14
set xlabel "largest error of a logit"
set xrange [1e-6:100]
set xtics 100
unset key
set arrow 1 from 1e-4, -0.7 to 1e-4, 14.7 nohead ls 10 front
plot csv every ::1 using 2:0:(1e-6):2:($0-0.28):($0+0.28):ytic(1) with boxxyerror lt 1 fill solid 0.6 noborder
unset arrow 1
csv = data."/10-mistakes-loss.csv"
of(weights, sign) = strcol("weights") eq weights && sign * column("change") > 0 ? abs(column("change")) : NaN
set lmargin at screen 0.53
set rmargin at screen 0.97
set xlabel "change of the loss, up or down (nats)"
set xrange [1e-7:100]
set format y ""
set ytics 1
set key at screen 0.99, screen 0.985 top right Left reverse maxrows 2 samplen 1 width 1
set style data points
plot csv using (of("random", 1)):(column("order") + 0.18) lt 2 pt 5 ps 0.55 title "loss rises, random weights", \
     csv using (of("random", -1)):(column("order") + 0.18) lt 2 pt 4 ps 0.55 title "loss falls, random weights", \
     csv using (of("trained", 1)):(column("order") - 0.18) lt 1 pt 7 ps 0.55 title "loss rises, models in training", \
     csv using (of("trained", -1)):(column("order") - 0.18) lt 1 pt 6 ps 0.55 title "loss falls, models in training"
unset multiplot

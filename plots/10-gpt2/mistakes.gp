# Chapter 10: a GPT-2 with one mistake. Left against PyTorch (mistakes.csv); then what it does to the loss, of five random and of
# five trained models (mistakes-loss.csv).
if (terminal eq "svg") set terminal svg size 720,500 font "sans-serif,13" background "white"
set yrange [14.7:-0.7]
set border 1
set ytics nomirror noenhanced scale 0
set grid xtics ytics
set multiplot
set tmargin at screen 0.9
set bmargin at screen 0.14
unset key
csv = data."/mistakes.csv"
set lmargin at screen 0.19
set rmargin at screen 0.42
set title "logits of the judge's model" offset 0,-0.8
set xlabel "largest error of a logit"
set logscale x
set xrange [1e-6:100]
set xtics ("10^{-6}" 1e-6, "10^{-4}" 1e-4, "10^{-2}" 1e-2, "1" 1, "100" 100) scale 0.5
set mxtics 1
set arrow 1 from 1e-4, -0.7 to 1e-4, 14.7 nohead ls 10 front
set label 1 "allowed" at 1.5e-4, 0 front
plot csv every ::1 using 2:0:ytic(1) with points lt 1 pt 7 ps 0.8
unset arrow 1
unset label 1
unset logscale x
# A logarithm with a sign: 0 in the middle, and a power of ten beyond 1e-5 is as wide on either side.
signed(x) = sgn(x) * log10(1 + abs(x) / 1e-5)
csv = data."/mistakes-loss.csv"
rising(weights) = strcol("weights") eq weights && column("change") > 0 ? signed(column("change")) : NaN
falling(weights) = strcol("weights") eq weights && column("change") <= 0 ? signed(column("change")) : NaN
set xrange [-6.9:6.9]
set xtics ("-1" signed(-1), "0" 0, "0.001" signed(1e-3), "1" signed(1))
set format y ""
set ytics 1
set xlabel "change of the loss (nats)"
set arrow 2 from 0, -0.7 to 0, 14.7 nohead ls 10 front
set lmargin at screen 0.455
set rmargin at screen 0.71
set title "loss, random weights" offset 0,-0.8
plot csv using (rising("random")):"order" with points lt 2 pt 4 ps 0.6, \
     csv using (falling("random")):"order" with points lt 1 pt 5 ps 0.6
set lmargin at screen 0.735
set rmargin at screen 0.99
set title "loss, trained" offset 0,-0.8
plot csv using (rising("trained")):"order" with points lt 2 pt 4 ps 0.6, \
     csv using (falling("trained")):"order" with points lt 1 pt 5 ps 0.6
unset multiplot

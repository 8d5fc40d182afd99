# Chapter 12: how likely a sentence is after it was said 0, 1, 2 ... times, its first token and the others apart; three seeds.
if (terminal eq "svg") set terminal svg size 720,400 font "sans-serif,13" background "white"
csv = data."/12-feedback.csv"
of(steps, y) = column("steps") == steps ? y : NaN
stats csv using "steps" nooutput name "STEPS"
set logscale y
set format y "10^{%T}"
set yrange [1e-6:1]
set xrange [-0.3:7.3]
set xlabel "times the sentence has been said"
set style data points
set multiplot layout 1,2 margins 0.1,0.99,0.15,0.9 spacing 0.03
do for [i=1:2] {
    steps = i == 1 ? STEPS_min : STEPS_max
    set title sprintf("%d steps of training", steps)
    if (i == 1) { set ylabel "probability" } else { unset ylabel; set format y "" }
    set key at graph 0.97, graph (i == 1 ? 0.2 : 0.6) right
    if (i == 2) { unset key }
    plot csv using "said_before":(of(steps, column("rest"))) lt 1 title "its other tokens", \
         csv using "said_before":(of(steps, column("first"))) lt 2 title "its first token"
}
unset multiplot

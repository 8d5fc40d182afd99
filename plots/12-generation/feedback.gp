# Chapter 12: a sentence after it was said 0, 1, 2 ... times, three seeds. Left: how much likelier its tokens after the first have become.
# Right: the probability of its first token.
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
csv = data."/feedback.csv"
stats csv using "steps" nooutput name "STEPS"
of(steps, y) = column("steps") == steps ? y : NaN
x(shift) = column("said_before") + shift
set xrange [-0.4:7.4]
set xlabel "times the sentence has been said"
set style data points
set multiplot layout 1,2 margins 0.085,0.985,0.14,0.91 spacing 0.1
set title "its other tokens"
set ylabel "probability / the first one"
set yrange [0.5:1.9]
set key top right
plot 1 with lines ls 10 notitle, \
     csv using (x(-0.15)):(of(STEPS_min, column("rest_ratio"))) lt 1 ps 0.8 title sprintf("sentences, %d steps of training", STEPS_min), \
     csv using (x(0)):(of(STEPS_max, column("rest_ratio"))) lt 3 ps 0.8 title sprintf("sentences, %d steps", STEPS_max), \
     csv using (x(0.15)):(of(STEPS_min, column("demo_ratio"))) lt 2 ps 0.7 title sprintf("the opening's phrase, %d steps", STEPS_min)
set title "its first token"
set ylabel "probability"
set logscale y
set format y "10^{%T}"
set yrange [1e-6:6]
plot csv using (x(-0.08)):(of(STEPS_min, column("first"))) lt 1 ps 0.8 title sprintf("sentences, %d steps of training", STEPS_min), \
     csv using (x(0.08)):(of(STEPS_max, column("first"))) lt 3 ps 0.8 title sprintf("sentences, %d steps", STEPS_max)
unset multiplot

# Left: words drawn at random cannot be predicted; without a mask they can be read. Right: what the two write, word by word,
# in a language with a rule. Thin lines and small points are seeds.
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
left = data."/leak.csv"
right = data."/leak-writing.csv"
of(s, y) = column("seed") == s ? column(y) : NaN
by(mask) = strcol("mask") eq mask ? column("follows") : NaN
stats right using "language" nooutput
language = STATS_max
set multiplot layout 1,2 margins 0.09,0.985,0.14,0.9 spacing 0.1
set title "words drawn at random"
set xlabel "training step"; set ylabel "next-word loss (nats)"
set yrange [0:3.2]; set key at graph 0.98, 0.6
plot for [s=1:5] left using "step":(of(s, "full")) with lines lc rgb "#aa0072B2" lw 1 notitle, \
     for [s=1:5] left using "step":(of(s, "causal")) with lines lc rgb "#aaD55E00" lw 1 notitle, \
     left using "step":"full" smooth unique with linespoints lt 1 pi 3 title "no mask", \
     left using "step":"causal" smooth unique with linespoints lt 2 pi 3 title "causal", \
     left using "step":"floor" smooth unique with lines ls 10 title "ln 16"
set title "a language with a rule"
set xlabel "word of what the model writes"; set ylabel "share that follows the rule"
set xrange [0.5:7.5]; set xtics 1; set yrange [0:1]; set key at graph 0.98, 0.55
plot right using ($5 - 0.1):(by("none")) with points lc rgb "#880072B2" pt 7 ps 0.4 notitle, \
     right using ($5 + 0.1):(by("causal")) with points lc rgb "#88D55E00" pt 5 ps 0.4 notitle, \
     right using "word":(by("none")) smooth unique with linespoints lt 1 title "no mask", \
     right using "word":(by("causal")) smooth unique with linespoints lt 2 title "causal", \
     language with lines ls 10 title "the language", \
     1.0/16 with lines ls 10 dt 3 title "chance, 1/16"
unset multiplot

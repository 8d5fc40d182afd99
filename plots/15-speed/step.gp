# Chapter 15: where the seconds of a training step of GPT-2 124M go (4 x 64 tokens, one thread), by operation.
if (terminal eq "svg") set terminal svg size 760,400 font "sans-serif,13" background "white"
csv = data."/step.csv"
set style fill solid 0.9
set boxwidth 0.7
set ylabel "milliseconds a step"
set xtics rotate by -30 noenhanced
set yrange [0:*]
set xrange [-0.7:9.7]
set key top right
# AdamW and clearing the gradients are neither forward nor backward.
apart(name) = name eq "AdamW" || name eq "zero gradients"
of(y) = column("threads") == 1 ? 1e3 * y : NaN
plot csv using 0:(of(apart(strcol("operation")) ? NaN : column("forward_s") + column("backward_s"))):xtic(column("threads") == 1 ? strcol("operation") : "") every ::0::9 with boxes lt 2 title "backward", \
     "" using 0:(of(apart(strcol("operation")) ? NaN : column("forward_s"))) every ::0::9 with boxes lt 1 title "forward", \
     "" using 0:(of(apart(strcol("operation")) ? column("forward_s") : NaN)) every ::0::9 with boxes lc rgb "#888888" title "neither"

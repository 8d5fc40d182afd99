# How many random facts an FFN holds (experiment facts of chapter 04). Left: the share of n facts that is named right; right:
# how many facts there are when nine in ten are held. Every seed a point, lines through the means.
if (terminal eq "svg") set terminal svg size 860,430 font "sans-serif,13" background "white"
only(kind, width, y) = strcol("kind") eq kind && (width == 0 || column("d_ff") == width) ? y : NaN
set datafile missing NaN
set multiplot layout 1,2
csv = data."/facts.csv"
stats csv using "d_ff" name "D" nooutput
# Not the colours of the right panel, which are kinds there.
width_types = "3 4 5 6"
widths = D_max > 24 ? "12 24 48 96" : "12 24"
set xlabel "facts for each hidden unit"
set ylabel "share of the facts named right"
set xrange [10:28]
set yrange [0.4:1.03]
set ytics 0.4, 0.1, 1
set key bottom left Left reverse samplen 2
set title "ReLU"
plot for [i=1:words(widths)] csv using "load":(only("relu", word(widths, i) + 0, column("held"))) with points lt (word(width_types, i) + 0) notitle, \
     for [i=1:words(widths)] csv using "load":(only("relu", word(widths, i) + 0, column("held"))) smooth unique with linespoints lt (word(width_types, i) + 0) \
         title "d_{ff} = ".word(widths, i), \
     0.9 with lines ls 10 notitle
csv = data."/capacity.csv"
set title "ReLU, and SwiGLU with as many weights"
set logscale xy 2
set xlabel "hidden units d_{ff}  of the ReLU FFN"
set ylabel "facts when nine in ten are named right"
set xrange [10:115]
set xtics (12, 24, 48, 96)
set yrange [160:2600]
set ytics 256, 2, 2048
set key top left Left reverse samplen 2
plot csv using "d_ff":(only("relu", 0, column("capacity"))) with points lt 1 title "ReLU", \
     csv using "d_ff":(only("swiglu", 0, column("capacity"))) with points lt 2 title "SwiGLU", \
     17.5 * x with lines ls 10 title "slope 1"
unset multiplot

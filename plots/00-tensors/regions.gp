# Chapter 00: the 200 points of two spirals, and the border between the regions that the network gives to them after 1000 steps of AdamW,
# with the right and with the wrong gradient; seed 1.
if (terminal ne "dumb") { set terminal svg size 760,420 font "sans-serif,13" background "white"; set output out }
border = data."/regions.csv"
points = data."/points.csv"
set size square
set xrange [-1.2:1.2]; set yrange [-1.2:1.2]
set xtics 1; set ytics 1
set xlabel "x"; set ylabel "y" offset 1
set key outside bottom center horizontal samplen 1
at(name) = strcol("backward") eq name ? column("y") : NaN
member(k) = column("class") == k ? column("y") : NaN
set multiplot layout 1,2
do for [name in "right wrong"] {
    set title name eq "right" ? "after training with the right gradient" : "with the wrong gradient"
    plot border using "x":(at(name)) every 2 with points lc rgb "black" pt 7 ps 0.3 notitle, \
         keyentry with lines lc rgb "black" title "border", \
         points using "x":(member(0)) with points lt 1 pt 7 ps 0.5 title "spiral 0", \
         points using "x":(member(1)) with points lt 2 pt 9 ps 0.6 title "spiral 1"
}
unset multiplot

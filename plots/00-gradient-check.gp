# Chapter 00: the error of a numeric gradient against its step, in float and in double; three seeds each.
csv = data."/00-gradient-check.csv"
stats csv using 2 name "S" nooutput
first = int(S_min)
set title "Error of a central difference"
set xlabel "step h"
set ylabel "error, relative to the gradient"
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xrange [3e-14:1]
set yrange [1e-11:1e5]
set key top right reverse Left
only(name, s, y) = strcol("precision") eq name && column("seed") == s ? y : NaN
plot for [s=first:int(S_max)] csv using "h":(only("double", s, column("error"))) lt 2 lw 1 title s == first ? "double, three seeds" : "", \
     for [s=first:int(S_max)] csv using "h":(only("float", s, column("error"))) lt 1 lw 1 pt 6 ps 1 title s == first ? "float, three seeds" : "", \
     csv using "h":(only("double", first, column("truncation"))) with lines ls 10 lw 2 title "theory: truncation and rounding", \
     csv using "h":(only("float", first, column("rounding"))) with lines ls 10 lw 2 notitle, \
     csv using "h":(only("double", first, column("rounding"))) with lines ls 10 lw 2 notitle

# Chapter 00: the error of a numeric gradient against its step, in float and in double.
set title "Error of a central difference"
set xlabel "step h"
set ylabel "error, relative to the gradient"
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xrange [3e-14:1]
set yrange [1e-11:1e4]
set key top left reverse Left
csv = data."/00-gradient-check.csv"
only(name, y) = strcol("precision") eq name ? y : NaN
plot csv using "h":(only("double", column("truncation"))) with lines ls 10 title "theory: truncation and rounding", \
     csv using "h":(only("float", column("rounding"))) with lines ls 10 notitle, \
     csv using "h":(only("double", column("rounding"))) with lines ls 10 notitle, \
     csv using "h":(only("float", column("error"))) lt 1 title "float", \
     csv using "h":(only("double", column("error"))) lt 2 title "double"

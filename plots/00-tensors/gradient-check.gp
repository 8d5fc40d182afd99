# Chapter 00: the error of a numeric gradient against its step, in float and in double; three seeds each.
csv = data."/gradient-check.csv"
stats csv using 2 name "S" nooutput
first = int(S_min)
set title "Error of a central difference (three seeds, which nearly coincide)"
set xlabel "step h"
set ylabel "error, relative to the gradient"
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xrange [2e-14:3]
set yrange [1e-11:100]
set xtics 1e-14,100
set mxtics 1
set mytics 1
set key bottom left reverse Left
set label 1 "h^2 L''' / 6" at 1e-3,2e-9 left tc rgb "#444444"
set label 2 "rounding / 2h" at 1.2e-10,2e-7 right tc rgb "#444444"
set label 3 "rounding / 2h" at 2e-5,1e-1 left tc rgb "#444444"
only(name, s, y) = strcol("precision") eq name && column("seed") == s ? y : NaN
# A part of the error is drawn where it is not far below the other.
part(name, one, other) = column(one) * 30 > column(other) ? only(name, first, column(one)) : NaN
plot for [s=first:int(S_max)] csv using "h":(only("double", s, column("error"))) lt 2 lw 1 title s == first ? "double" : "", \
     for [s=first:int(S_max)] csv using "h":(only("float", s, column("error"))) lt 1 lw 1 pt 6 ps 1 title s == first ? "float" : "", \
     csv using "h":(part("double", "truncation", "rounding")) with lines ls 10 lw 2 title "theory", \
     csv using "h":(part("float", "rounding", "truncation")) with lines ls 10 lw 2 notitle, \
     csv using "h":(part("double", "rounding", "truncation")) with lines ls 10 lw 2 notitle

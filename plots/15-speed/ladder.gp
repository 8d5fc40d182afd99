# Chapter 15: one product of GPT-2's FFN, 240 x 3072 x 768, in nine ways, one thread: GFLOP/s, beside OpenBLAS and the measured peak.
if (terminal eq "svg") set terminal svg size 800,440 font "sans-serif,13" background "white"
csv = data."/ladder.csv"
stats data."/sums-machine.csv" using "peak_gflops" nooutput name "P"
ffn(y) = column("threads") == 1 && column("m") == 240 && column("n") == 3072 ? y : NaN
is(name) = strcol("step") eq name
stats csv using (is("openblas") ? ffn(column("gflops")) : NaN) nooutput name "B"
blas = B_max
set style fill solid 0.85 noborder
set boxwidth 0.62
set grid noxtics
set ylabel "GFLOP/s"
set yrange [0:112]
set xrange [0.4:11.9]
set xtics scale 0 ("1\nloops" 1, "2\norder" 2, "3\nregisters" 3, "4\npanels" 4, "5\npacked" 5, "6\nedges" 6, "7\nblocks" 7, "8\nthreads" 8, "9\nprepared" 9)
set label 1 "peak" at 9.6, P_max + 2.6 left
set label 2 "OpenBLAS" at 9.6, blas - 3.4 left tc rgb "#D55E00"
set label 3 "rungs for other shapes" at 7, 97.5 center font ",12" tc rgb "#444444"
set bmargin 3.5
steps = "loops order registers panels packed edges blocks threads prepared"
number(name) = (sum [i = 1:words(steps)] (word(steps, i) eq name ? i : 0))
x(first, last) = (i = number(strcol("step")), i >= first && i <= last ? i : NaN)
plot P_max with lines ls 10 notitle, \
     blas with lines lt 2 notitle, \
     csv using (x(1, 5)):(ffn(column("gflops"))) with boxes lc rgb "#0072B2" notitle, \
     csv using (x(6, 9)):(ffn(column("gflops"))) with boxes lc rgb "#9CC3DD" notitle, \
     csv using (x(1, 5)):(ffn(column("gflops")) + 3.2):(sprintf("%.3g", column("gflops"))) with labels font ",12" notitle

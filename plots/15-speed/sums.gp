# Chapter 15: multiply-adds of vectors by the number of sums at once, one thread. Few of them wait for their own last result; from 16 on they no longer fit the registers.
if (terminal eq "svg") set terminal svg size 720,380 font "sans-serif,13" background "white"
csv = data."/sums.csv"
machine = data."/sums-machine.csv"
stats machine using "peak_gflops" nooutput name "P"
stats machine using "clock_ghz" nooutput name "C"
stats machine using "lanes" nooutput name "L"
set xlabel "sums at once (vectors in registers)"
set ylabel "GFLOP/s, one thread"
set xrange [0:21]
set yrange [0:*]
set xtics 2
set key at graph 0.98, graph 0.2 right
chain(x) = x < 8.01 ? x * C_max * 2 * L_max / 4 : 2 * C_max * 2 * L_max
plot chain(x) with lines ls 10 title "sums / 4 cycles, at most 2 units", \
     csv using "sums":"gflops" lt 1 title "measured"

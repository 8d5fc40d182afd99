# Chapter 15: LayerNorm backward, softmax and attention in steps, one thread: time for an element against the size, with the bound of
# the roofline, and the memory that attention needs beside its result. A step pays where its bytes were what took the time.
if (terminal eq "svg") set terminal svg size 860,660 font "sans-serif,13" background "white"
csv = data."/kernels.csv"
memory = data."/kernels-memory.csv"
set logscale xy
set datafile missing NaN # a step's rows stand apart in the file, and its line goes on
set format x "%.0s%c"
of(kernel, step) = strcol("kernel") eq kernel && strcol("step") eq step ? column("ns") : NaN
bound(kernel, step) = strcol("kernel") eq kernel && strcol("step") eq step ? column("bound_ns") : NaN
megabytes(step) = strcol("step") eq step ? column("megabytes") : NaN
set multiplot layout 2,2 margins 0.1,0.985,0.09,0.94 spacing 0.13,0.17
set ylabel "ns for a number"
set title "LayerNorm backward"
set xlabel "rows of 768"
set xrange [50:21000]
set yrange [0.03:30]
set key top right
plot csv using "size":(of("norm", "plain")) lt 1 title "plain: 28 bytes", \
     "" using "size":(of("norm", "two_sums")) lt 2 title "two sums at once: 28", \
     "" using "size":(of("norm", "one_sweep")) lt 3 title "one sweep: 16", \
     "" using "size":(bound("norm", "plain")) with lines ls 10 title "bound"
set title "softmax"
set xlabel "numbers in a row"
set xrange [50:5400000]
set yrange [0.1:300]
set key top right
plot csv using "size":(of("softmax", "three_passes")) lt 1 title "three passes: 24 bytes", \
     "" using "size":(of("softmax", "online")) lt 2 title "online: 16", \
     "" using "size":(of("softmax", "parts")) lt 3 title "online by parts: 16", \
     "" using "size":(bound("softmax", "online")) with lines ls 10 title "bound"
set title "attention"
set xlabel "tokens"
set ylabel "ns for a pair of tokens"
set xrange [56:20000]
set yrange [1:5000]
plot csv using "size":(of("attention", "whole")) lt 1 title "whole table: 28 bytes", \
     "" using "size":(of("attention", "bands")) lt 2 title "bands of 64 rows: 8", \
     "" using "size":(of("attention", "online")) lt 3 title "online, row by row: 512", \
     "" using "size":(of("attention", "tiles")) lt 4 title "tiles: 8", \
     "" using "size":(bound("attention", "whole")) with lines ls 10 title "bound"
set title "attention: memory beside its result"
set xrange [56:2400]
set ylabel "MB"
set yrange [0.001:10000]
set key top left
plot memory using "size":(megabytes("whole")) lt 1 title "whole table", \
     "" using "size":(megabytes("bands")) lt 2 title "bands of 64 rows", \
     "" using "size":(megabytes("online")) lt 3 title "online, row by row", \
     "" using "size":(megabytes("tiles")) lt 4 title "tiles"
unset multiplot

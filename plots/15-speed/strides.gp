# Chapter 15: the same product by how far apart the rows of B lie, one thread, as a share of the peak: panels in place fall where the distance is a multiple of 512 bytes, and most at 4096; packed panels do not.
if (terminal eq "svg") set terminal svg size 720,400 font "sans-serif,13" background "white"
csv = data."/strides.csv"
set xlabel "floats from a row of B to the next"
set ylabel "% of the peak, one thread"
set xrange [888:1160]
set xtics (896, 960, 1008, 1024, 1040, 1088, 1152) font ",11"
set yrange [0:100]
set key bottom right
set label 1 "128" at 896, 64 center font ",11"
set label 6 "below a dip: how many of L2's 1024 sets the rows of B reach" at 900, 43 left font ",11"
set label 2 "16" at 1024, 52 center font ",11"
set label 3 "128" at 1152, 63 center font ",11"
plot csv using "row":(100 * column("packed")) lt 3 title "packed", \
     csv using "row":(100 * column("in_place")) lt 1 title "unpacked"

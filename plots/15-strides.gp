# Chapter 15: the same product by how far apart the rows of B lie, one thread, as a share of the peak: panels in place fall where the distance is a multiple of 512 bytes, and most at 4096; packed panels do not.
if (terminal eq "svg") set terminal svg size 720,400 font "sans-serif,13" background "white"
csv = data."/15-strides.csv"
set xlabel "floats from a row of B to the next"
set ylabel "% of the peak, one thread"
set xrange [888:1160]
set xtics (896, 960, 1024, 1088, 1152)
set yrange [0:100]
set key bottom right
plot csv using "row":(100 * column("packed_large")) lt 3 title "packed, pages of 2 MB", \
     csv using "row":(100 * column("packed_small")) lt 6 title "packed, pages of 4 kB", \
     csv using "row":(100 * column("in_place_large")) lt 1 title "unpacked, pages of 2 MB", \
     csv using "row":(100 * column("in_place_small")) lt 2 title "unpacked, pages of 4 kB"

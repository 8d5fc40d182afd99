# A message between two processes against a straight line (left), and four ways to add an array over four processes, by its
# size (right; experiment messages of chapter 16).
if (terminal eq "svg") set terminal svg size 860,430 font "sans-serif,13" background "white"
set multiplot layout 1,2
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xlabel "bytes of the message"
set title "one message, 2 processes"
set ylabel "microseconds"
set key top left
csv = data."/ping-pong.csv"
plot csv using "bytes":"us" with points lt 1 title "one message", \
     csv using "bytes":"line" with lines ls 10 title "latency + bytes / bandwidth"
set title "the sum of an array, 4 processes"
set xrange [40:6e6]
set yrange [*:*]
set xlabel "bytes of the array"
csv = data."/messages.csv"
plot csv using "bytes":(column("ranks") == 4 ? column("owners") : NaN) lt 1 title "owners, along the tree", \
     csv using "bytes":(column("ranks") == 4 ? column("ring") : NaN) lt 2 title "ring", \
     csv using "bytes":(column("ranks") == 4 ? column("root") : NaN) lt 3 title "through the root", \
     csv using "bytes":(column("ranks") == 4 ? column("mpi") : NaN) lt 4 title "MPI\\_Iallreduce"
unset multiplot

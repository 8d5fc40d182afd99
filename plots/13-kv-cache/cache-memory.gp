# Chapter 13: memory that GPT-2's cache takes from the system, by the tokens written to it, beside the formula and the weights.
csv = data."/cache-memory.csv"
of(kind, y) = strcol("kind") eq kind ? y : NaN
set xlabel "tokens held, of all texts together" offset 0, -0.7
set bmargin 5
set ylabel "memory in MB"
set logscale xy 2
set xrange [100:80000]
set yrange [8:6000]
set ytics (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
set xtics ("128" 128, "512" 512, "1 text\n1024" 1024, "4 texts\n4096" 4096, "16 texts\n16384" 16384, "64 texts\n65536" 65536)
set key top left
weights = 498
set label 1 "GPT-2's weights" at 40000, weights * 0.85 center
set style data points
plot 2 * 12 * x * 768 * 4 / 1e6 with lines ls 10 title "2 L T d 4 bytes", \
     weights with lines lc rgb "#777777" lw 1 notitle, \
     csv using "tokens":(of("whole", column("resident_bytes") / 1e6)) lt 1 ps 1.5 title "measured", \
     csv using "tokens":(of("window", column("resident_bytes") / 1e6)) lt 2 title "measured, 4 sinks and a window of 252"

# Time to encode one word against its length, by scanning and with a queue. The dashed lines are n^2 through the last point of the
# scan, and n log n through the first point of the queue.
csv = data."/encode-time.csv"
set datafile missing NaN
stats csv skip 1 using 1:2 name "S" nooutput
stats csv skip 1 using 1:3 name "Q" nooutput
set xlabel "letters of the word"
set ylabel "time"
set logscale xy
set xrange [50:2e6]
set yrange [1e-6:5]
set xtics ("64" 64, "1024" 1024, "16384" 16384, "262144" 262144)
set ytics ("1 µs" 1e-6, "10 µs" 1e-5, "0.1 ms" 1e-4, "1 ms" 1e-3, "10 ms" 1e-2, "0.1 s" 1e-1, "1 s" 1)
set key bottom right
plot csv skip 1 using 1:2 with linespoints lt 2 title "looking through the word for every merge", \
     csv skip 1 using 1:3 with linespoints lt 1 title "with a queue", \
     (x <= 1e5 ? S_max_y * (x / S_max_x)**2 : NaN) with lines ls 10 title "n^2  and  n log n", \
     Q_min_y * x * log(x) / (Q_min_x * log(Q_min_x)) with lines ls 10 notitle

# Seconds to encode one word against its length, by scanning and with a queue. The dashed lines grow with the square
# and with the length, through the last point of the scan and the first of the queue.
csv = data."/09-encode-time.csv"
set datafile missing NaN
stats csv skip 1 using 1:2 name "S" nooutput
stats csv skip 1 using 1:3 name "Q" nooutput
set xlabel "letters of the word"
set ylabel "seconds"
set logscale xy
set xrange [50:2e6]
set yrange [5e-7:5]
set format x "10^{%L}"
set format y "10^{%L}"
set key bottom right
plot csv skip 1 using 1:2 with linespoints lt 2 title "looking through the word for every merge", \
     csv skip 1 using 1:3 with linespoints lt 1 title "with a queue", \
     (x >= 256 && x <= 1e5 ? S_max_y * (x / S_max_x)**2 : NaN) with lines ls 10 title "slopes 2 and 1", \
     Q_min_y * x / Q_min_x with lines ls 10 notitle

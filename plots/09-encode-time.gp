# Chapter 09: seconds to encode one word, by scanning and with a queue.
set title "Time to encode one word"
set xlabel "letters"
set ylabel "seconds"
set logscale xy
set xrange [50:2e6]
set format x "10^{%L}"
set format y "10^{%L}"
set key top left
csv = data . "/09-encode-time.csv"
plot csv using 1:2 skip 1 linetype 2 title "looking through the word for every merge", \
     csv using 1:3 skip 1 linetype 1 title "with a queue", \
     1.5e-9 * x**2 with lines linestyle 10 title "x^2 and x", \
     2.5e-7 * x with lines linestyle 10 notitle

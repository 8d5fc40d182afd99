# Chapter 08: what a block of the small GPT-2 costs against the length of the text: multiplications, and memory on the tape.
file = data."/cost.csv"
set logscale xy
set xrange [50:20000]
set xtics (64, 256, "1024" 1024, "4096" 4096, "16384" 16384)
set format y "10^{%T}"
set ytics 10
set xlabel "length T"
set key top left Left reverse samplen 2
if (terminal eq "svg") set terminal svg size 720,400 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.07,0.98,0.15,0.9 spacing 0.09
set title "multiplications over the FFN's"
unset logscale y
set yrange [0:3]
set format y "%g"
set ytics 0.5
plot file skip 1 using 1:(($2 + $3) / $4) lt 2 title "attention", \
     "" skip 1 using 1:($3 / $4) lt 3 title "only looking, (T + 1)d", \
     1 with lines ls 10 title "the FFN"
set title "megabytes on the tape"
set logscale y
set format y "10^{%T}"
set ytics 10
set yrange [0.1:5e4]
plot file skip 1 using 1:5 with points lt 1 ps 0.9 title "measured", \
     "" skip 1 using 1:($6 + $7) with lines lt 1 title "aT + bT^2", \
     "" skip 1 using 1:7 with lines ls 10 title "only bT^2"
unset multiplot

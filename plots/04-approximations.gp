# How far each form of GELU is from the exact one (experiment approximations of chapter 04).
set logscale y
set format y "10^{%L}"
set xlabel "x"
set ylabel "distance from the exact GELU"
set xrange [-6:6]
set yrange [1e-6:10]
set key top center maxrows 2
csv = data."/04-approximations.csv"
plot csv using "x":"error_mixed_up" every 10 title "tanh(1.702 x), mixed up" lt 2, \
     csv using "x":"error_sigmoid" every 10 title "x sigmoid(1.702 x)" lt 5, \
     csv using "x":"error_tanh" every 10 title "tanh form (GPT-2)" lt 1, \
     csv using "x":"error_table" every 1 with lines title "table of 257 values" lt 6

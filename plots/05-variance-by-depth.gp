# The size of the residual stream behind each sublayer (experiment variance-by-depth of chapter 05).
set logscale y 2
set format y "2^{%L}"
set xlabel "sublayer l"
set ylabel "|x_l|^2 / d"
set xrange [0:32]
set yrange [0.2:2**34]
set key top left
csv = data."/05-variance-by-depth.csv"
plot 2**x with lines ls 10 title "2^{l} and l + 1", x + 1 with lines ls 10 notitle, \
     csv using "l":"plain" every 2 title "x + F(x)" lt 2, \
     csv using "l":"pre_ln" every 2 title "x + F(norm x)" lt 1, \
     csv using "l":"plain_scaled" every 2 title "x + F(x) / sqrt N" lt 5, \
     csv using "l":"pre_ln_scaled" every 2 title "x + F(norm x) / sqrt N" lt 3, \
     csv using "l":"rezero" every 2 title "ReZero" lt 4, \
     csv using "l":"none" every 2 title "F(x)" lt 6

# The size of the residual stream behind each sublayer (experiment variance-by-depth of chapter 05).
set linetype 8 lc rgb "#888888" lw 2 pt 6 ps 0.7
set logscale y 2
set format y "%g"
set xlabel "sublayer l"
set ylabel "mean square of the stream, |x_l|^2 / d"
set xrange [0:32]
set yrange [0.2:700]
set ytics (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
set rmargin 21
unset key
csv = data."/variance-by-depth.csv"
name(text, y, color) = sprintf("set label '%s' at graph 1.015, first %g tc rgb '%s'", text, y, color)
set label "x + F(x)" at 9.3, 480 tc rgb "#CC79A7"
set label "2^{l}" at 4.6, 70 tc rgb "#444444"
set label "l + 1" at 23, 36 tc rgb "#444444"
eval name("x + F(norm x): pre-LN", 31.3, "#D55E00")
eval name("x + F(x)/√N", 2.75, "#E69F00")
eval name("post-LN", 1.28, "#0072B2")
eval name("ReZero", 0.85, "#009E73")
eval name("F(x)", 0.295, "#888888")
set samples 321
plot (x <= 9.3 ? 2**x : NaN) with lines ls 10, x + 1 with lines ls 10, \
     csv using "l":"plain" every ::0::9 lt 4, \
     csv using "l":"pre_ln" every 2 lt 2, \
     csv using "l":"plain_scaled" every 2 lt 5, \
     csv using "l":"rezero" every 4 lt 3, \
     csv using "l":"post_ln" every 4::2 with points lt 1, \
     csv using "l":"none" every 2 lt 8

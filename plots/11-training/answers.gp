# The loss above the floor while a model learns: in the answers and in the rest of the text, a token each. Three seeds.
file = data."/answers.csv"
of(seed, c) = column(1) == seed ? column(c) : NaN
set datafile missing NaN
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.085,0.97,0.14,0.9 spacing 0.1
set logscale y
set xlabel "training step"
set title "a token of each part, above its floor"
set ylabel "nats a token above the floor"
set key top right samplen 2
set yrange [0.02:3]
plot for [k=1:3] file skip 1 using 2:(of(k, 4)) with lines lc rgb "#D55E00" lw 0.5 notitle, \
     for [k=1:3] file skip 1 using 2:(of(k, 5) - of(k, 6)) with lines lc rgb "#0072B2" lw 0.5 notitle, \
     file skip 1 using 2:4 smooth unique with linespoints lt 2 title "an answer's token (floor 0)", \
     "" skip 1 using 2:(column(5) - column(6)) smooth unique with linespoints lt 1 title "any other token"
set title "what each part adds to the loss"
set ylabel "nats for each token of the text"
set yrange [0.02:1.5]
plot for [k=1:3] file skip 1 using 2:(of(k, 7)) with lines lc rgb "#D55E00" lw 0.5 notitle, \
     for [k=1:3] file skip 1 using 2:(of(k, 8)) with lines lc rgb "#0072B2" lw 0.5 notitle, \
     file skip 1 using 2:7 smooth unique with linespoints lt 2 title "answers", \
     "" skip 1 using 2:8 smooth unique with linespoints lt 1 title "the rest"
unset multiplot

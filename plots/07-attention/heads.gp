# Chapter 07: one layer of attention says the two words before, in their order. Left: one head or several, as many weights.
# Right: the loss at the end, with the division by the root of d and without.
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
file = data."/heads.csv"
set datafile missing NaN
of(heads, s) = column("heads") == heads && strcol("divided") eq "yes" && (s == 0 || column("seed") == s) ? column("loss") : NaN
end(divided) = column("step") == 400 && strcol("divided") eq divided ? column("loss") : NaN
set logscale y
set format y "%g"
set yrange [0.004:6]
set ytics (0.01, 0.03, 0.1, 0.3, 1, 3)
set multiplot layout 1,2 margins 0.085,0.985,0.14,0.9 spacing 0.1
set title "loss over training, divided by √d"
set xlabel "training step"; set ylabel "loss (nats)"
set xrange [0:400]
set key top right
set label 1 "words without their order" at 395, 0.47 right textcolor rgb "#444444"
colours = "#0072B2 #D55E00 #009E73 #CC79A7"
plot for [i=0:3] for [s=1:5] file using "step":(of(2**i, s)) with lines lw 0.5 lc rgb word(colours, i + 1) notitle, \
     for [i=0:3] file using "step":(of(2**i, 0)) smooth unique with linespoints lt i + 1 pi 4 title (i == 0 ? "1 head of 64 features" : sprintf("%d heads of %d features", 2**i, 64 / 2**i)), \
     0.6065 with lines ls 10 notitle
unset label 1
set title "loss after 400 steps, both ways"
set xlabel "d, the head's dimension"
set logscale x 2
set xrange [7:74]
set xtics (8, 16, 32, 64)
set key top left
plot file using "head_dim":(end("no")) with points lc rgb "#88D55E00" pt 5 ps 0.4 notitle, \
     file using "head_dim":(end("yes")) with points lc rgb "#880072B2" pt 7 ps 0.4 notitle, \
     file using "head_dim":(end("no")) smooth unique with linespoints lt 2 title "not divided", \
     file using "head_dim":(end("yes")) smooth unique with linespoints lt 1 title "divided by √d"
unset multiplot

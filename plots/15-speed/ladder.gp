# Chapter 15: the ladder, each rung on the shape that shows it: the share of one core's peak before and after. The last but one takes two threads.
if (terminal eq "svg") set terminal svg size 820,470 font "sans-serif,13" background "white"
csv = data."/ladder-rungs.csv"
set style fill solid 0.85 noborder
set boxwidth 0.36
set bmargin 6.3
set ylabel "% of one core's peak"
set yrange [0:160]
set xrange [1.4:9.6]
set grid noxtics
unset xlabel
set xtics scale 0
set xtics ("2 order\n240\n3072\n768" 2, "3 registers\n240\n240\n240" 3, "4 panels\n48\n50257\n768" 4, "5 packed\n1024\n1024\n1024" 5, "6 edges\n63\n1000\n768" 6, "7 blocks\n8192\n1024\n1024" 7, "8 threads\n240\n3072\n768" 8, "9 prepared\n16\n3072\n768" 9)
set xlabel offset 0,-2.6 "rung, and the product that shows it: rows and columns of C, and the depth k"
set key top left
set label 1 "one core's peak" at 1.45, 104 left font ",11"
plot 100 with lines ls 10 notitle, \
     csv using (column("rung") - 0.19):(100 * column("before_of_peak")) with boxes lc rgb "#999999" title "the rung before", \
     csv using (column("rung") + 0.19):(100 * column("after_of_peak")) with boxes lc rgb "#0072B2" title "this rung", \
     csv using "rung":(100 * column("after_of_peak") + 5):(sprintf("x %.3g", column("ratio"))) with labels font ",11" notitle, \
     csv using (column("rung") - 0.19):(column("before_of_peak") < 0.01 ? 4 : NaN):(sprintf("%.1f %%", 100 * column("before_of_peak"))) with labels font ",11" notitle

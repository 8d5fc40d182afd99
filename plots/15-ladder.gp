# Chapter 15: operations a second of a square product by step, with one thread and with two, against the peak and OpenBLAS.
if (terminal eq "svg") set terminal svg size 860,440 font "sans-serif,13" background "white"
csv = data."/15-ladder.csv"
steps = "loops order tile vectors packed blocks threaded"
set linetype 7 lc rgb "#000000" lw 1.5 pt 1 ps 1
set logscale xy
set xtics (64, 128, 256, 512, 1024, 2048)
set xrange [56:2400]
set yrange [0.05:1000]
set xlabel "rows, columns and depth"
set key outside right top
set multiplot layout 1,2 margins 0.07,0.83,0.13,0.91 spacing 0.06
of(t, y) = column("threads") == t && strcol("kind") eq "square" ? column(y) : NaN
do for [t=1:2] {
    set title sprintf("%d thread%s", t, t > 1 ? "s" : "")
    if (t == 1) { set ylabel "GFLOP/s"; unset key } else { unset ylabel; set format y ""; set key }
    plot for [i=1:words(steps)] csv using "n":(of(t, word(steps, i))) lt i title word(steps, i), \
         csv using "n":(of(t, "openblas")) with lines lw 2 dt 3 lc rgb "#888888" title "OpenBLAS", \
         csv using "n":(of(t, "peak")) with lines ls 10 title "peak"
}
unset multiplot

# IsoFLOP curves: left the loss by size for five budgets with their parabolas, right the best size by budget and the fitted slope.
file = data."/isoflop.csv"
best = data."/isoflop-best.csv"
if (terminal eq "svg") set terminal svg size 960,440 font "sans-serif,13" background "white"
stats file skip 1 using 1 nooutput
first = STATS_min
of(b) = abs(log(column(1) / (first * 2**b))) < 0.01 ? column(5) : NaN
set datafile missing NaN
set fit quiet logfile "/dev/null"
do for [b=0:4] {
    eval sprintf("p%d(x) = a%d + b%d * (x - 9.6) + c%d * (x - 9.6)**2; a%d = 1; b%d = 0.1; c%d = 0.1", b, b, b, b, b, b, b)
    eval sprintf("fit p%d(x) file skip 1 using (log(column(2))):(of(%d)) via a%d, b%d, c%d", b, b, b, b, b)
}
l(x) = u + v * x
u = 1; v = 0.4
fit l(x) best skip 1 using (log(column(1))):(log(column(2))) via u, v
set multiplot layout 1,2 margins 0.075,0.985,0.14,0.9 spacing 0.1
set logscale x
set xlabel "parameters N"
set ylabel "validation loss (nats a token)"
set xrange [4500:55000]
set yrange [0.7:3.5]
set logscale y
set ytics (0.7, 1, 1.5, 2, 3)
set xtics (5000 , 10000, 20000, 40000)
set key at graph 0.52, 0.97 right samplen 1
set title "five sizes, five budgets, three seeds"
plot for [b=0:4] file skip 1 using 2:(of(b)) with points lt (b + 1) title sprintf("%.0f GFLOP", first * 2**b / 1e9), \
     p0(log(x)) with lines lc 1 lw 1 notitle, p1(log(x)) with lines lc 2 lw 1 notitle, p2(log(x)) with lines lc 3 lw 1 notitle, \
     p3(log(x)) with lines lc 4 lw 1 notitle, p4(log(x)) with lines lc 5 lw 1 notitle
set title "where the parabolas are lowest"
set key default
set key top left samplen 2
set xlabel "operations C (GFLOP)"
set ylabel "best size"
set xrange [first * 0.7 : first * 23]
set yrange [5000:50000]
set format x "%.0s"
set xtics (4e9, 8e9, 16e9, 32e9, 64e9)
set ytics (5000, 10000, 20000, 40000)
middle = exp(l(log(first * 4)))
plot best skip 1 using 1:2:3:4 with yerrorbars lt 1 title "lowest point, range over seeds", \
     exp(l(log(x))) with lines lc rgb "#0072B2" lw 1 title sprintf("C^{%.2f}, fitted", v), \
     middle * (x / (first * 4))**0.49 with lines ls 10 title "C^{0.49}, Hoffmann et al. 2022"
unset multiplot

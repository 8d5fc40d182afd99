# Chapter 12: one distribution, where many tokens may follow, at three temperatures.
if (terminal eq "svg") set terminal svg size 760,330 font "sans-serif,13" background "white"
csv = data."/filters.csv"
titles = "'temperature 0.5' 'temperature 1' 'temperature 2'"
set style fill solid 1
unset key
set grid noxtics
set xtics nomirror rotate by 90 right font ",11"
set xrange [0.3:17.7]
set yrange [0:0.45]
set ytics 0.1
set multiplot layout 1,3 margins 0.09,0.99,0.24,0.88 spacing 0.03
set ylabel "probability"
do for [i=1:3] {
    first = 16 * (i == 1 ? 1 : i == 2 ? 0 : 2) # a distribution has 16 rows: as it is, 0.5, 2
    set title word(titles, i)
    stats csv every ::first::first+15 using "probability" nooutput
    plot csv every ::first::first+15 using "rank":"probability":(0.7):xtic(strcol("token")) with boxes lc rgb "#0072B2", \
         "+" every ::::0 using (17):(1 - STATS_sum):(0.7):xtic("496 others") with boxes lc rgb "#999999"
    unset ylabel
    set format y ""
}
unset multiplot

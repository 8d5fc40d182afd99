# Chapter 12: one distribution where much may follow and one where little may, after each filter.
if (terminal eq "svg") set terminal svg size 760,520 font "sans-serif,12" background "white"
csv = data."/12-filters.csv"
filters = "'as it is' 'temperature 0.5' 'temperature 2' 'top-k 5' 'top-p 0.9'"
of(place, filter, y) = column("context") == place && strcol("filter") eq filter ? y : NaN
set style fill solid 0.85
set boxwidth 0.75
unset key
set xtics nomirror rotate by 90 right font ",9"
set multiplot layout 2,5 margins 0.1,0.99,0.1,0.92 spacing 0.014,0.14
do for [place=0:1] {
    set ylabel (place == 0 ? "much may follow" : "little may follow")."\nprobability"
    set format y "%g"
    set ytics 0.2
    do for [i=1:5] {
        filter = word(filters, i)
        if (place == 0) { set title i == 2 || i == 3 ? "temp. ".word(filter, 2) : filter } else { unset title }
        set xrange [*:*]; set yrange [*:*]
        stats csv using (of(place, filter, column("kept"))) nooutput
        set xrange [0.3:16.7]; set yrange [0:0.6]
        set label 1 sprintf("%d left", STATS_max) at graph 0.95, graph 0.9 right
        first = 16 * (5 * place + i - 1) # a filter has 16 rows
        plot csv every ::first::first+15 using "rank":"probability":xtic(strcol("token")) with boxes lc rgb "#0072B2"
        unset ylabel
        set format y ""
    }
}
unset multiplot

# Chapter 12: one distribution where many may follow and one where few may, before and after two filters.
if (terminal eq "svg") set terminal svg size 760,500 font "sans-serif,13" background "white"
csv = data."/filters.csv"
filters = "'top-k 5' 'top-p 0.9'"
first_row(place, step) = 16 * (5 * place + step) # a filter has 16 rows; step 0 is none
of(place, filter, y) = column("context") == place && strcol("filter") eq filter ? y : NaN
set style fill solid 1
unset key
set grid noxtics
set xtics nomirror rotate by 90 right font ",11"
set multiplot layout 2,2 margins 0.1,0.99,0.13,0.91 spacing 0.03,0.17
do for [place=0:1] {
    set ylabel (place == 0 ? "many may follow" : "one may follow")."\nprobability"
    set format y "%g"
    set ytics 0.1
    do for [i=1:2] {
        filter = word(filters, i)
        if (place == 0) { set title filter } else { unset title }
        set xrange [*:*]; set yrange [*:*]
        stats csv using (of(place, filter, column("kept"))) nooutput
        set xrange [0.3:16.7]; set yrange [0:(place == 0 ? 0.4 : 0.5)]
        set label 1 sprintf("%d left", STATS_max) at graph 0.95, graph 0.9 right
        before = first_row(place, 0)
        after = first_row(place, i + 2)
        if (place == 0 && i == 1) { set key at graph 0.62, graph 0.97 samplen 1 } else { unset key }
        plot csv every ::before::before+15 using "rank":"probability":(0.9):xtic(strcol("token")) \
                 with boxes lc rgb "#b8b8b8" title "before", \
             csv every ::after::after+15 using "rank":"probability":(0.45) \
                 with boxes lc rgb "#0072B2" title "after"
        unset ylabel
        set format y ""
    }
}
unset multiplot

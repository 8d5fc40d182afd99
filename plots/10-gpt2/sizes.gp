# Chapter 10: where the parameters of the four published sizes are. Data: sizes.csv.
if (terminal eq "svg") set terminal svg size 720,400 font "sans-serif,13" background "white"
set ylabel "share of all parameters (%)"
set yrange [0:100]
set xrange [-0.6:3.6]
set style data histograms
set style histogram rowstacked
set style fill solid 0.75 border lc rgb "white"
set boxwidth 0.6
set key outside right center vertical reverse Left invert width -4
set grid noxtics
csv = data."/sizes.csv"
# A model has six rows, behind the line of names.
set xtics noenhanced ("small, 124 M" 0, "medium, 355 M" 1, "large, 774 M" 2, "XL, 1558 M" 3)
# Light beside dark, so that neighbours differ without colours as well.
plot csv every 6::4 using (100*column(4)) lt 1 fs solid 1.0 border lc rgb "white" title "FFN", \
     csv every 6::3 using (100*column(4)) lt 3 fs solid 0.4 border lc rgb "white" title "attention", \
     csv every 6::1 using (100*column(4)) lt 2 fs solid 1.0 border lc rgb "white" title "token table", \
     csv every 6::2 using (100*column(4)) lt 4 fs solid 1.0 border lc rgb "white" title "position table"

# Chapter 10: where the parameters of the four published sizes are. Data: 10-sizes.csv.
set title "Where the parameters of GPT-2 are"
set ylabel "share of all parameters (%)"
set yrange [0:100]
set xrange [-0.6:3.6]
set style data histograms
set style histogram rowstacked
set style fill solid 0.75 border lc rgb "white"
set boxwidth 0.6
set key outside right center vertical reverse Left invert
set grid noxtics
csv = data."/10-sizes.csv"
part(name) = sprintf("< grep ',%s,' %s", name, csv)
# Light beside dark, so that neighbours differ without colours as well.
plot part("FFN") using (100*column(4)):xtic(1) lt 1 fs solid 1.0 border lc rgb "white" title "FFN", \
     part("attention") using (100*column(4)) lt 3 fs solid 0.4 border lc rgb "white" title "attention", \
     part("wte") using (100*column(4)) lt 2 fs solid 1.0 border lc rgb "white" title "token table and head", \
     part("wpe") using (100*column(4)) lt 5 fs solid 0.4 border lc rgb "white" title "position table"

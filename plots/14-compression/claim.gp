# The rise of perplexity of each codec against bits a weight; the claim is the corner of the band (80 to 90 % smaller) below the dashed line (2 %).
file = data."/claim.csv"
if (terminal eq "svg") set terminal svg size 960,500 font "sans-serif,13" background "white"
floor = 0.01
of(large, f) = strcol(2) eq f && (strcol(1) eq "large") == large ? (column("percent") > floor ? column("percent") : floor) : NaN
families = "ggml codebook GPTQ 'low rank' pruning DCT RBE"
set logscale xy
set xrange [0.8:20]
set xtics (1, 2, 4, 8, 16)
set yrange [floor * 0.8:1e8]
set ytics ("0.01 or less" 0.01, "0.1" 0.1, "1" 1, "10" 10, "100" 100, "1000" 1000, "10000" 10000, "10^6" 1e6)
set xlabel "bits a parameter, of the whole model"
set style data points
set object 1 rectangle from 3.2, graph 0 to 6.4, graph 1 fillcolor rgb "#eeeeee" fillstyle solid noborder behind
set label 1 "80 to 90 % smaller" at 4.5, graph 0.97 center
set multiplot layout 1,2 margins 0.155,0.985,0.12,0.92 spacing 0.02
do for [k=0:1] {
    set title k ? "3.3 million parameters" : "0.47 million parameters, three seeds"
    set ylabel k ? "" : "perplexity, % more"
    if (k) { set format y ""; set ytics ("" 0.01, "" 0.1, "" 1, "" 10, "" 100, "" 1000, "" 10000, "" 1e6); set key top left Left reverse samplen 1 } else { unset key }
    plot 2 with lines ls 10 title "2 %", \
         for [f=1:7] file using "bits":(of(k, word(families, f))) lt (f < 7 ? f : 2) pt (word("7 5 9 13 11 4 12", f) + 0) ps (f == 7 ? 0.9 : 0.7) lc (f < 7 ? f : 8) title f == 1 ? "blocks" : word(families, f), \
         file using "bits":(of(k, "claimed")) with points pt 8 ps 1.4 lc rgb "black" title "RBE as claimed"
}
unset multiplot

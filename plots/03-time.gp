# Time per row against its length (left), and RMSNorm's share of LayerNorm's time (right), forward and backward.
if (terminal eq "svg") set terminal svg size 860,460 font "sans-serif,13" background "white"
set multiplot layout 1,2
csv = data."/03-time.csv"
only(place, pass, y) = strcol(1) eq place && strcol(2) eq pass ? y : NaN
set datafile missing NaN
set logscale x 2
set xlabel "length of a row"
set xtics rotate by -45
set xrange [50:11000]
set key outside top center horizontal maxrows 3 samplen 2
set logscale y 10
set format y "10^{%T}"
set ylabel "ns per row, forward and backward, in the cache (1 thread)"
plot csv skip 1 using 3:(only("cache", "both", $4)) lt 1 title "LayerNorm", \
     csv skip 1 using 3:(only("cache", "both", $5)) lt 2 title "RMSNorm"
unset logscale y
set format y "%g"
set yrange [0:1.1]
set key outside top center horizontal maxrows 3 samplen 2
set ylabel "RMSNorm's time / LayerNorm's"
set style fill solid 0.15 noborder
plot '+' using (50 * 220**$0):(0.36):(0.93) every ::0::1 with filledcurves lc rgb "#009E73" title "the paper's whole models", \
     1 with lines ls 10 notitle, \
     csv skip 1 using 3:(only("cache", "forward", $6)) lt 1 title "cache, forward (1 thread)", \
     csv skip 1 using 3:(only("cache", "both", $6)) lt 2 title "cache, both (1 thread)", \
     csv skip 1 using 3:(only("memory", "forward", $6)) lt 3 title "memory, forward (all threads)", \
     csv skip 1 using 3:(only("memory", "both", $6)) lt 4 title "memory, both (all threads)"
unset multiplot

# Chapter 18: what sharing keys and values costs in loss, against what of the cache is left. Points are seeds.
csv = data."/groups.csv"
of(u, y) = column("order") == u ? y : NaN
set xlabel "bytes of keys and values a token, heads of keys" offset 0,-0.9
set bmargin 4.5
set ylabel "loss minus that of 8 heads of keys, nats"
set logscale x 2
set xrange [1400:95]
set xtics ("1024\n8" 1024, "512\n4" 512, "256\n2" 256, "128\n1" 128)
set yrange [-0.06:0.06]
set datafile missing NaN
set key top left reverse Left
plot 0 with lines ls 10 notitle, \
     for [u=0:1] csv using (column("cache") * (1 + 0.06 * u)):(of(u, column("minus_8"))) with points lt 2 - u pt 7 - 2 * u ps 0.6 notitle, \
     for [u=0:1] csv using (column("cache") * (1 + 0.06 * u)):(of(u, column("minus_8"))) smooth unique with lines lt 2 - u lw 2 \
     title u ? "saved weights given to the FFN" : "saved weights left out"

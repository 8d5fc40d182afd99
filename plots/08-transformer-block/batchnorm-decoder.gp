# Chapter 08: decoders with LayerNorm and BatchNorm read a text byte after byte: the loss of the next byte by how many have been read.
file = data."/batchnorm-decoder.csv"
# Without the last byte, the 64th: in these texts it is a harder one for every model.
of(norm, statistics) = column("trained_on") == 8 && strcol("read") eq "alone" && strcol("norm") eq norm && strcol("statistics") eq statistics && column("bytes") <= 48 ? column("loss") : NaN
set logscale x 2
set xrange [0.92:52]
set xtics (1, 2, 4, 8, 16, 32, 48)
set yrange [0:6]
set xlabel "bytes of the text that have been read"
set ylabel "loss of the next byte (nats)"
set datafile missing NaN
set key at graph 0.98, 0.76
set label "any of 128 bytes" at 46, log(128) + 0.18 right textcolor rgb "#444444"
plot file using "bytes":(of("BatchNorm", "own")) with points lc rgb "#88D55E00" pt 5 ps 0.4 notitle, \
     file using "bytes":(of("BatchNorm", "running")) with points lc rgb "#88009E73" pt 9 ps 0.4 notitle, \
     file using "bytes":(of("LayerNorm", "none")) with points lc rgb "#880072B2" pt 7 ps 0.4 notitle, \
     file using "bytes":(of("BatchNorm", "own")) smooth unique with linespoints lt 2 title "BatchNorm, statistics of what it has read", \
     file using "bytes":(of("BatchNorm", "running")) smooth unique with linespoints lt 3 title "BatchNorm, running statistics", \
     file using "bytes":(of("LayerNorm", "none")) smooth unique with linespoints lt 1 title "LayerNorm", \
     log(128) with lines ls 10 notitle

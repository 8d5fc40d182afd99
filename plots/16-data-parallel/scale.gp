# A model, not a measurement: the share of a step that waits for messages, by nodes (experiment scale of chapter 16).
if (terminal eq "svg") set terminal svg size 900,520 font "sans-serif,13" background "white"
csv = data."/scale.csv"
set multiplot layout 1,2 title "a model, not a measurement"
set logscale x 2
set xlabel "nodes"
set ylabel "share of a step that waits for messages"
set yrange [0:1]
set xrange [1:1024]
set key below left reverse Left maxrows 3 samplen 2
of(model, gbit) = sprintf("<awk -F, '$1 == \"%s\" && $2 == %d' %s", model, gbit, csv)
do for [model in "124M 1.5B"] {
    set title model." parameters"
    plot of(model, 10) using 3:6 lt 2 title "10 Gbit/s", \
         of(model, 10) using 3:8 lt 5 title "10 Gbit/s, overlap, 16 micro-batches", \
         of(model, 100) using 3:6 lt 1 title "100 Gbit/s", \
         of(model, 100) using 3:7 lt 6 title "100 Gbit/s, overlap", \
         of(model, 100) using 3:8 lt 3 title "100 Gbit/s, overlap, 16 micro-batches"
}
unset multiplot

# Chapter 01: training a small network with no norm, BatchNorm and LayerNorm, and ever smaller batches. Lines are means over
# five seeds, bands reach from the smallest to the largest. Each line has its marker at steps of its own.
if (terminal ne "dumb") { set terminal svg size 960,620 font "sans-serif,13" background "white"; set output out }
csv = data."/01-small-batch.csv"
only(norm, batch, y) = strcol("norm") eq norm && column("batch") == batch ? y : NaN
batches = "64 16 4 2 1"
marked(i, y) = int(column("samples") / 2048) % 5 == i - 1 ? only(norm, word(batches, i) + 0, y) : NaN
set multiplot layout 2,3
set style data lines
set style fill transparent solid 0.2 noborder
set format x "%.0fk"
set xtics 0,16,64
set xrange [0:64]
set logscale y
set format y "10^{%T}"
do for [quantity in "loss grad_norm"] {
    do for [norm in "none batch layer"] {
        set title quantity eq "loss" ? (norm eq "none" ? "no norm" : (norm eq "batch" ? "BatchNorm" : "LayerNorm")) : ""
        set yrange [1e-5:3]
        if (quantity eq "grad_norm") { set yrange [1e-5:10]; set xlabel "samples seen" }
        set ylabel norm eq "none" ? (quantity eq "loss" ? "training loss" : "gradient norm, first weight") : ""
        unset label
        if (quantity eq "grad_norm" && norm eq "batch") { set label 1 "batch 1: exactly 0" at graph 0.05, graph 0.08 }
        if (quantity eq "loss" && norm eq "batch") { set key bottom left samplen 2 reverse Left } else { unset key }
        plot for [i=1:5] csv using (column("samples")/1024):(only(norm, word(batches, i) + 0, column(quantity."_min"))): \
                 (column(quantity."_max")) with filledcurves lt i notitle, \
             for [i=1:5] csv using (column("samples")/1024):(only(norm, word(batches, i) + 0, column(quantity))) \
                 lt i notitle, \
             for [i=1:5] csv using (column("samples")/1024):(marked(i, column(quantity))) with points lt i ps 0.9 notitle, \
             for [i=1:5] keyentry with linespoints lt i ps 0.9 title "batch ".word(batches, i)
    }
}
unset multiplot

# Chapter 01: training a small network with no norm, BatchNorm and LayerNorm, and ever smaller batches.
if (terminal ne "dumb") { set terminal svg size 960,620 font "sans-serif,13" background "white"; set output out }
csv = data."/01-small-batch.csv"
only(norm, batch, y) = strcol("norm") eq norm && column("batch") == batch ? y : NaN
batches = "64 16 4 2 1"
set multiplot layout 2,3
set style data lines
set format x "%.0fk"
set xtics 0,32
set logscale y
set format y "10^{%T}"
do for [norm in "none batch layer"] {
    set title norm eq "none" ? "no norm" : (norm eq "batch" ? "BatchNorm" : "LayerNorm")
    set yrange [1e-5:3]
    set ylabel norm eq "none" ? "training loss" : ""
    if (norm eq "batch") { set key bottom left samplen 2 reverse Left } else { unset key }
    plot for [i=1:5] csv using (column("samples")/1024):(only(norm, word(batches, i) + 0, column("loss"))) \
        lt i title "batch ".word(batches, i)
}
do for [norm in "none batch layer"] {
    unset title
    unset key
    set yrange [1e-5:10]
    set xlabel "samples seen"
    set ylabel norm eq "none" ? "gradient norm, first weight" : ""
    if (norm eq "batch") { set label 1 "batch 1: exactly 0" at graph 0.05, graph 0.08 } else { unset label }
    plot for [i=1:5] csv using (column("samples")/1024):(only(norm, word(batches, i) + 0, column("grad_norm"))) lt i
}
unset multiplot

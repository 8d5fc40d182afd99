# Chapter 01: what a network has learned after 1000 steps against the scale of its initial weights.
if (terminal ne "dumb") { set terminal svg size 960,420 font "sans-serif,14" background "white"; set output out }
csv = data."/init-scale.csv"
only(optimizer, norm) = strcol("optimizer") eq optimizer && strcol("norm") eq norm ? column("loss") : NaN
set multiplot layout 1,3
set logscale x
set format x "10^{%T}"
set xrange [4e-5:1.5]
set xtics 1e-4,100
set mxtics 1
set yrange [-0.02:0.8]
set xlabel "scale s of the weights"
do for [i=1:3] {
    optimizer = word("AdamW SGD SGD-s^2", i)
    set title (i == 3 ? "SGD, rate × s², ε = 0" : optimizer)
    set ylabel optimizer eq "AdamW" ? "training loss after 1000 steps, three seeds" : ""
    if (i == 3) { set key at graph 0.99, graph 0.72 } else { unset key }
    plot log(2) with lines ls 10 title "guessing, ln 2", \
         csv using "scale":(only(optimizer, "none")) with points lt 3 ps 0.9 title "no norm", \
         csv using "scale":(only(optimizer, "batch")) with points lt 2 ps 0.9 title "BatchNorm", \
         csv using "scale":(only(optimizer, "layer")) with points lt 1 ps 0.9 title "LayerNorm"
}
unset multiplot

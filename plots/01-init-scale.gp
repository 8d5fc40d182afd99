# Chapter 01: what a network has learned after 1000 steps against the scale of its initial weights.
if (terminal ne "dumb") { set terminal svg size 960,420 font "sans-serif,13" background "white"; set output out }
csv = data."/01-init-scale.csv"
only(optimizer, norm) = strcol("optimizer") eq optimizer && strcol("norm") eq norm ? column("loss") : NaN
set multiplot layout 1,2
set logscale x
set format x "10^{%T}"
set xrange [4e-5:1.5]
set yrange [-0.02:0.8]
set xlabel "standard deviation of the initial weights"
do for [optimizer in "AdamW SGD"] {
    set title optimizer.", three seeds"
    set ylabel optimizer eq "AdamW" ? "training loss after 1000 steps" : ""
    if (optimizer eq "AdamW") { set key at graph 0.99, graph 0.58 } else { unset key }
    plot log(2) with lines ls 10 title "guessing, ln 2", \
         csv using "scale":(only(optimizer, "none")) with points lt 3 ps 0.9 title "no norm", \
         csv using "scale":(only(optimizer, "batch")) with points lt 2 ps 0.9 title "BatchNorm", \
         csv using "scale":(only(optimizer, "layer")) with points lt 1 ps 0.9 title "LayerNorm"
}
unset multiplot

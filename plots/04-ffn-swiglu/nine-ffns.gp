# Nine FFNs of the same size: loss minus the mean of the nine with the same seed (experiment nine-ffns of chapter 04). Small
# points are the eight seeds, large ones their mean, bars a standard deviation each way. Rings: the
# best of the three rates for that kind.
if (terminal eq "svg") set terminal svg size 900,460 font "sans-serif,13" background "white"
csv = data."/nine-ffns.csv"
names = "relu gelu silu relu2 glu bilinear reglu geglu swiglu"
titles = "ReLU GELU SiLU ReLU² GLU Bilinear ReGLU GEGLU SwiGLU"
colour(i) = i <= 3 ? 1 : i == 4 ? 3 : 2
shape(i) = i <= 3 ? 7 : i == 4 ? 9 : 5
array best[9]
do for [i=1:9] {
    lowest = 1e9
    do for [rate in "0.003 0.006 0.012"] {
        stats csv using (strcol("kind") eq word(names, i) && column("rate") == rate + 0 ? column("loss") : NaN) name "L" nooutput
        if (L_mean < lowest) { lowest = L_mean; best[i] = rate + 0 }
    }
}
set xrange [0.4:9.6]
stats csv using "minus_mean" name "A" nooutput
set yrange [1.1 * A_min:1.1 * A_max]
set for [i=1:9] xtics (word(titles, i) i) rotate by -90
set multiplot layout 1,3 margins 0.11,0.99,0.2,0.91 spacing 0.02
do for [rate in "0.003 0.006 0.012"] {
    set title "learning rate ".rate
    set format y (rate eq "0.003" ? "%g" : "")
    set ylabel rate eq "0.003" ? "loss minus the mean of the nine (nats per byte)" : ""
    if (rate eq "0.003") { set key top right samplen 1 } else { unset key }
    array mean[9]
    array deviation[9]
    do for [i=1:9] {
        stats csv using (strcol("kind") eq word(names, i) && column("rate") == rate + 0 ? column("minus_mean") : NaN) name "S" nooutput
        mean[i] = S_mean
        deviation[i] = S_ssd
    }
    plot 0 with lines ls 10 notitle, \
         for [i=1:9] csv using (i - 0.2):(strcol("kind") eq word(names, i) && column("rate") == rate + 0 ? column("minus_mean") : NaN) \
             with points pt shape(i) ps 0.45 lc rgb (i <= 3 ? "#770072B2" : i == 4 ? "#77009E73" : "#77D55E00") notitle, \
         for [i=1:9] '+' using (i + 0.15):(mean[i]):(deviation[i]) every ::0::0 with yerrorbars lt colour(i) pt shape(i) ps 1 \
             title (i == 1 ? "plain" : i == 4 ? "ReLU² (plain)" : i == 5 ? "gated" : ""), \
         for [i=1:9] '+' using (i + 0.15):(best[i] == rate + 0 ? mean[i] : NaN) every ::0::0 with points pt 6 ps 2 lw 1.5 lc rgb "#333333" \
             title (i == 1 ? "best rate" : "")
}
unset multiplot

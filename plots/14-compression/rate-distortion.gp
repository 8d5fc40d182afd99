# Relative error against bits a weight, four matrices: all codecs; dashed the bound 2^-bits and the largest share of normal numbers.
file = data."/rate-distortion.csv"
theory = data."/rate-theory.csv"
if (terminal eq "svg") set terminal svg size 880,760 font "sans-serif,13" background "white"
of(m, s, f) = strcol(1) eq m && column(2) == s && strcol(3) eq f ? column(6) : NaN
matrices = "noise surface FFN positions"
titles = "'white noise' 'a smooth surface' 'trained: an FFN matrix' 'trained: the position table'"
families = "ggml codebook low-rank top-k DCT RBE"
stats file using (strcol(1) eq "positions" ? column(2) : NaN) nooutput
last = STATS_max
set logscale xy
set xrange [0.4:20]
set xtics (0.5, 1, 2, 4, 8, 16)
set yrange [1e-4:1.5]
set format y "10^{%T}"
set multiplot layout 2,2 margins 0.085,0.985,0.08,0.95 spacing 0.06,0.1
do for [k=1:4] {
    m = word(matrices, k)
    s = k > 2 ? last : 1
    set title word(titles, k)
    set xlabel k > 2 ? "bits a weight" : ""
    set ylabel k % 2 ? "relative error" : ""
    if (k == 3) { set key bottom left samplen 1.5 maxrows 4 } else { unset key }
    plot theory using "bits":"bound" with lines ls 10 title "2^{-bits}", \
         theory using "bits":"top_share" with lines ls 10 dt 3 title "largest share", \
         for [f=1:6] file using "bits":(of(m, s, word(families, f))) lt f title word(families, f)
}
unset multiplot

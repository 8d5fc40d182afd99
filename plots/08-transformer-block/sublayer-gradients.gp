# Chapter 08: gradient norm of the matrix by which each sublayer writes to the stream, before training and after 20 steps.
file = data."/sublayer-gradients.csv"
of(variant, step, y) = strcol(1) eq variant && strcol(2) eq "unscaled" && column(3) == step ? column(y) : NaN
set logscale y
set yrange [1e-4:3e4]
set format y "10^{%T}"
set xrange [0.5:16.5]
set xtics 1, 3, 16
set xlabel "sublayer (odd: attention, even: FFN)"
set ylabel "gradient norm"
set key bottom left Left reverse samplen 2
if (terminal eq "svg") set terminal svg size 720,400 font "sans-serif,13" background "white"
set multiplot layout 1,2 margins 0.11,0.98,0.16,0.9 spacing 0.03
do for [step in "0 20"] {
    set title step eq "0" ? "before training" : "after 20 steps"
    plot file skip 1 using 4:(of("no norm", step + 0, 5)):(of("no norm", step + 0, 6)):(of("no norm", step + 0, 7)) with yerrorlines lt 4 title "no norm", \
         "" skip 1 using 4:(of("full", step + 0, 5)):(of("full", step + 0, 6)):(of("full", step + 0, 7)) with yerrorlines lt 2 title "pre-LN (full)", \
         "" skip 1 using 4:(of("post-LN", step + 0, 5)):(of("post-LN", step + 0, 6)):(of("post-LN", step + 0, 7)) with yerrorlines lt 1 title "post-LN"
    unset ylabel
    set format y ""
    unset key
}
unset multiplot

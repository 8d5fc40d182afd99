# Nine FFNs of the same size (experiment nine-ffns of chapter 04), each at the best of three rates. Small points are eight
# seeds, large ones their means, from the highest mean to the lowest.
csv = data."/nine-ffns.csv"
names = "relu glu relu2 silu gelu bilinear reglu geglu swiglu"
titles = "ReLU GLU ReLU² SiLU GELU Bilinear ReGLU GEGLU SwiGLU"
gated(i) = i == 2 || i > 5
array rate[9]
array mean[9]
do for [i=1:9] {
    mean[i] = 1e9
    do for [r in "0.003 0.006 0.012"] {
        stats csv using (strcol("kind") eq word(names, i) && column("rate") == r + 0 ? column("loss") : NaN) name "L" nooutput
        if (L_mean < mean[i]) { mean[i] = L_mean; rate[i] = r + 0 }
    }
}
set title "Two gates lead, one is nearly last: loss of nine FFNs with equally many weights"
set ylabel "loss on new text (nats a byte)"
set xrange [0.4:9.6]
set for [i=1:9] xtics (word(titles, i) i)
unset key
set label 1 "plain" at 1.25,0.472 tc lt 1
set label 2 "gated" at 7.2,0.455 tc lt 2
only(i, y) = strcol("kind") eq word(names, i) && column("rate") == rate[i] ? y : NaN
plot for [i=1:9] csv using (i - 0.12):(only(i, column("loss"))) with points pt (gated(i) ? 5 : 7) ps 0.4 lc rgb (gated(i) ? "#77D55E00" : "#770072B2"), \
     for [i=1:9] '+' using (i + 0.12):(mean[i]) every ::0::0 with points lt (gated(i) ? 2 : 1) pt (gated(i) ? 5 : 7) ps 1.3

# The share of rounding's divergence that GPTQ takes back, by the length of the text that it saw; four models each.
file = data."/feedback.csv"
of(b, m) = column("bits") == b && strcol(1) eq m ? column("closed") : NaN
models = "small-1 small-2 small-3 large"
set datafile missing NaN
set logscale x
set xlabel "tokens of calibration"
set ylabel "divergence taken back (share)"
set yrange [0:1]
set xrange [45:46000]
set xtics (64, 512, 4096, 32768)
set key bottom right
plot for [m=1:4] file using "tokens":(of(4, word(models, m))) lt 1 lw (m == 4 ? 3 : 1) title (m == 4 ? "4 bits, large" : m == 1 ? "4 bits, small" : ""), \
     for [m=1:4] file using "tokens":(of(3, word(models, m))) lt 2 lw (m == 4 ? 3 : 1) title (m == 4 ? "3 bits, large" : m == 1 ? "3 bits, small" : "")

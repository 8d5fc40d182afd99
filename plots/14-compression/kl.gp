# The divergence of a coded model's predictions from its own against bits: each bit less costs a factor of four.
file = data."/claim.csv"
if (terminal eq "svg") set terminal svg size 720,440 font "sans-serif,13" background "white"
falls_back(c) = c eq "q6_k" || c eq "q4_k"
of(large, f) = strcol(2) eq f && (strcol(1) eq "large") == large && (large || !falls_back(strcol(3))) ? column("kl") : NaN
# A quick look has no large model, and no line.
stats file using (strcol(1) eq "large" && strcol(3) eq "q4_0" ? column("kl") : NaN) nooutput
kl = exists("STATS_max") ? STATS_max : NaN
stats file using (strcol(1) eq "large" && strcol(3) eq "q4_0" ? column("bits") : NaN) nooutput
bits = exists("STATS_max") ? STATS_max : NaN
set datafile missing NaN
set logscale y
set termoption noenhanced # or the underscores of the names lower what follows
set ytics ("10⁻⁶" 1e-6, "10⁻⁵" 1e-5, "10⁻⁴" 1e-4, "10⁻³" 1e-3, "0.01" 0.01, "0.1" 0.1, "1" 1)
set xrange [1.5:10]
set yrange [1e-6:1]
set xlabel "bits a parameter, of the whole model"
set ylabel "KL divergence, nats"
set style data points
set key top right
plot (x > 0 ? kl * 4 ** (bits - x) : NaN) with lines ls 10 title "a factor of 4 a bit", \
     file using "bits":(of(1, "ggml")) lt 1 pt 7 ps 0.9 title "blocks of 32 or 256", \
     "" using "bits":(of(1, "ggml")):(strcol(3) eq "q4_1" ? "" : strcol(3)) with labels right offset -0.9,-0.4 notitle, \
     "" using "bits":(of(0, "ggml")) lt 1 pt 6 ps 0.7 notitle, \
     "" using "bits":(of(1, "GPTQ")) lt 3 pt 9 ps 1.1 title "the same with GPTQ", \
     "" using "bits":(of(0, "GPTQ")) lt 3 pt 8 ps 0.8 notitle, \
     "" using "bits":(of(1, "codebook")) lt 2 pt 5 ps 0.9 title "codebook", \
     "" using "bits":(of(0, "codebook")) lt 2 pt 4 ps 0.7 notitle

# Left: one matrix of the last model, the large one, alone at 3 bits, by kind and depth. Right: a mixture of codecs against one codec for all, of no more bytes.
file = data."/sensitivity.csv"
mix = data."/mixture.csv"
if (terminal eq "svg") set terminal svg size 960,440 font "sans-serif,13" background "white"
stats file using (model = strcol(1), 0) nooutput # of the last row
of(kind) = strcol(1) eq model && strcol(3) eq "gptq3" && strstrt(strcol(2), kind) > 0 ? column("kl") : NaN
layer(name) = substr(name, 1, 2) eq "h." ? substr(name, 3, 3) + 0 : NaN
kinds = "attn.c_attn attn.c_proj mlp.c_fc mlp.c_proj"
stats file using (of("wte")) nooutput
table = STATS_max
set datafile missing NaN
set multiplot layout 1,2 margins 0.09,0.985,0.14,0.92 spacing 0.12
set logscale y
set format y "10^{%T}"
set title "one matrix at 3 bits, all others floats"
set xlabel "block"
set ylabel "divergence (nats)"
set xrange [-0.3:3.3]
set xtics 0,1,3
set yrange [1e-7:1e-2]
set key at graph 0.98, 0.75 right samplen 2
plot table with lines ls 10 title "token table", \
     for [k=1:4] file using (layer(strcol(2))):(of(word(kinds, k))) lt k title word(kinds, k) noenhanced
set title "as many bytes, four models"
set xlabel "one codec for all, divergence (nats)"
set ylabel "mixture, divergence (nats)"
unset xrange
set logscale x
set format x "10^{%T}"
set xtics auto
set xrange [1e-5:1e-2]
set yrange [1e-5:1e-2]
set key default
set key top left
plot x with lines ls 10 title "equal", \
     mix using (strcol(2) eq "gptq4" ? column("kl") : NaN):"mixed_kl" with points lt 1 title "bytes of 4 bits", \
     mix using (strcol(2) eq "gptq3" ? column("kl") : NaN):"mixed_kl" with points lt 2 title "bytes of 3 bits"
unset multiplot

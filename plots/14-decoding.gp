# Tokens a second of a model of GPT-2's size, and the bound: how often its bytes could be read in that time.
file = data."/14-decoding.csv"
if (terminal eq "svg") set terminal svg size 800,440 font "sans-serif,13" background "white"
names = "f32 f16 q8_0 q6_k q4_k q4_0 kmeans:4 svd:4.5 dct:177 rbe:180"
of(n, y) = column("threads") == n ? column(y) : NaN
place(name) = sum [i=1:words(names)] (word(names, i) eq name ? i : 0)
set logscale y
set yrange [0.8:20000]
set ylabel "tokens a second"
set xrange [0.4:words(names) + 0.6]
set xtics ()
do for [i=1:words(names)] { set xtics add (word(names, i) i) }
set xtics rotate by -25 noenhanced
set key top left
plot file using (place(strcol(1)) - 0.12):(of(1, "bound_per_s")) with points pt 1 ps 1.2 lc rgb "#444444" title "bound: bytes over bandwidth, 1 thread", \
     "" using (place(strcol(1)) + 0.12):(of(2, "bound_per_s")) with points pt 2 ps 1.2 lc rgb "#444444" title "2 threads", \
     "" using (place(strcol(1)) - 0.12):(of(1, "tokens_per_s")) with points lt 1 ps 1 title "measured, 1 thread", \
     "" using (place(strcol(1)) + 0.12):(of(2, "tokens_per_s")) with points lt 2 ps 1 title "2 threads"

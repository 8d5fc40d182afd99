# Tokens a second of a model of GPT-2's size on one thread, and the bound: how often its bytes could be read in that time.
file = data."/decoding.csv"
if (terminal eq "svg") set terminal svg size 760,420 font "sans-serif,13" background "white"
names = "f32 f16 q8_0 q6_k q4_k q4_0 kmeans:4 svd:4.5 dct:177 rbe:180"
of(y) = column("threads") == 1 ? column(y) : NaN
place(name) = sum [i=1:words(names)] (word(names, i) eq name ? i : 0)
set datafile missing NaN
set logscale y
set yrange [1:3000]
set ylabel "tokens a second"
set xrange [0.4:words(names) + 0.6]
set xtics ()
do for [i=1:words(names)] { set xtics add (word(names, i) i) }
set xtics noenhanced font ",12"
set xlabel "codec"
set key top left Left reverse
plot file using (place(strcol(1))):(of("bound_per_s")) with points pt 1 ps 1.2 lc rgb "#444444" title "bound: bytes over bandwidth", \
     "" using (place(strcol(1))):(of("tokens_per_s")) with points lt 1 ps 1 title "measured"

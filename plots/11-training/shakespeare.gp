# Training and validation loss on a small part of tiny Shakespeare by size of the model; the mean of three seeds, bands of all.
# Where there was no text to train on, the data of the repository are drawn.
file = data."/shakespeare.csv"
if (system("test -e '".file."' || echo missing") eq "missing") file = "plots/11-training/shakespeare.csv"
if (terminal eq "svg") set terminal svg size 880,420 font "sans-serif,13" background "white"
stats file skip 1 using 1 nooutput
n1 = STATS_min; n3 = STATS_max
stats file skip 1 using (column(1) > n1 && column(1) < n3 ? column(1) : NaN) nooutput
n2 = STATS_min
size(i) = i == 1 ? n1 : i == 2 ? n2 : n3
of(i, c) = column(1) == size(i) ? column(c) : NaN
seed(i, k, c) = column(4) == k ? of(i, c) : NaN
set datafile missing NaN
set xlabel "times that the text was seen"
set yrange [1:4.1]
set multiplot layout 1,2 margins 0.085,0.985,0.14,0.9 spacing 0.03
set key bottom left samplen 2
do for [part in "5 6"] {
    c = part + 0
    set title (c == 5 ? "training text" : "validation text")
    if (c == 5) { set ylabel "loss (nats a byte)" } else { unset ylabel; set format y ""; unset key }
    plot for [i=1:3] for [k=1:3] file skip 1 using 3:(seed(i, k, c)) with lines lw 0.5 lc i notitle, \
         for [i=1:3] file skip 1 using 3:(of(i, c)) smooth unique with linespoints lt i title sprintf("%.0f parameters", size(i))
}
unset multiplot

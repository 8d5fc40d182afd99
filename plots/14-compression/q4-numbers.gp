# How often Q4_0 uses each of its 16 numbers: white noise and a trained matrix.
file = data."/q4-numbers.csv"
if (terminal eq "svg") set terminal svg size 720,340 font "sans-serif,13" background "white"
of(m) = strcol(1) eq m && column("seed") == 1 ? column("share") : NaN
set datafile missing NaN
set xlabel "stored number q; the weight is q - 8 steps of the scale"
set ylabel "share of the weights"
set yrange [0:0.16]
set xrange [-0.7:15.7]
set xtics 0,1,15
set style fill solid 0.55
set boxwidth 0.4
set key top right
plot file using (column("q") - 0.2):(of("noise")) with boxes lt 1 title "white noise", \
     "" using (column("q") + 0.2):(of("FFN")) with boxes lt 5 fillstyle pattern 2 title "a trained matrix"

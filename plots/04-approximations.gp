# How far each form of GELU is from the exact one (left), and a table's largest error by its size (right; experiment
# approximations of chapter 04).
if (terminal eq "svg") set terminal svg size 860,430 font "sans-serif,13" background "white"
csv = data."/04-approximations.csv"
set multiplot layout 1,2
set logscale y
set format y "10^{%T}"
set xlabel "x"
set ylabel "distance from the exact GELU"
set xrange [-6:6]
set yrange [1e-7:1]
set key outside top center horizontal maxrows 2 samplen 2
plot csv using "x":"error_mixed_up" every 10 title "tanh(1.702 x)" lt 2, \
     csv using "x":"error_sigmoid" every 10 title "x σ(1.702 x)" lt 5, \
     csv using "x":"error_tanh" every 10 title "tanh form (GPT-2)" lt 1, \
     csv using "x":"error_table" every 1 with lines title "257 values" lt 6
set logscale x 2
set xlabel "values in the table"
set xrange [24:5600]
set yrange [1e-6:0.1]
set xtics (33, 65, 129, 257, 513, 1025, 2049, 4097) rotate by -45
set ylabel "largest distance from the exact GELU"
set key outside top center horizontal maxrows 2 samplen 2
csv = data."/04-table-size.csv"
plot csv using "values":"error" with points lt 6 ps 1 title "table", \
     csv using "values":"theory" with lines ls 10 title "theory, slope -2", \
     4.73e-4 with lines lt 1 title "tanh form"
unset multiplot

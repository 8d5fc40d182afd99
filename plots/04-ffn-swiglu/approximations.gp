# How far each form of GELU is from the exact one (left), and a table's largest error by its size (right; experiment
# approximations of chapter 04).
if (terminal eq "svg") set terminal svg size 860,430 font "sans-serif,13" background "white"
csv = data."/approximations.csv"
set multiplot layout 1,2
set logscale y
set format y "10^{%T}"
set xlabel "x"
set ylabel "distance from the exact GELU"
set xrange [-6:6]
set yrange [1e-7:100]
set ytics 1e-7, 10, 1
set key top left Left reverse samplen 1.5 maxrows 4 width -1
plot csv using "x":"error_mixed_up" with linespoints lt 2 pointinterval 40 title "1.702 in the tanh", \
     csv using "x":"error_sigmoid" with linespoints lt 5 pointinterval 40 title "x σ(1.702 x)", \
     csv using "x":"error_tanh" with linespoints lt 1 pointinterval 40 title "tanh form (GPT-2)", \
     csv using "x":"error_table" with lines title "table of 257 values" lt 6
set ytics autofreq
set logscale x 2
set xlabel "values in the table"
set xrange [24:5600]
set yrange [1e-6:0.1]
set xtics (33, 65, 129, 257, 513, 1025, 2049, 4097) rotate by -45
set ylabel "largest distance from the exact GELU"
set key top right samplen 2
csv = data."/table-size.csv"
plot csv using "values":"error" with points lt 6 ps 1 title "table", \
     csv using "values":"theory" with lines ls 10 title "theory, slope -2", \
     4.73e-4 with lines lt 1 title "tanh form"
unset multiplot

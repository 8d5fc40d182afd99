# The size of the stream at the end of a pre-LN stack of N branches (experiment residual-init of chapter 05).
set linetype 10 lc rgb "#009E73" lw 2 pt 4 ps 0.8
set title "Scaled by 1/√N, all branches together add what one would have added"
set logscale xy 2
set xlabel "number of branches, N"
set ylabel "mean square at the end of the stream"
set xrange [5:120]
set yrange [1:150]
unset key
set label 1 "weights as drawn" at 22,33 right tc lt 2
set label 2 "the last matrix of each branch scaled by 1/√N" at 9,2.4 left tc lt 10
set label 3 "N + 1" at 50,72 right tc rgb "#444444"
csv = data."/residual-init.csv"
plot x + 1 with lines ls 10, 2 with lines ls 10, csv using "n":"unscaled" lt 2, csv using "n":"scaled" lt 10

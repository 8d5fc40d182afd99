# How many random facts an FFN holds (experiment facts of chapter 04): how many there are when nine in ten are named right.
# Every seed a point.
csv = data."/capacity.csv"
only(kind) = strcol("kind") eq kind ? column("capacity") : NaN
set title "Twice the width learns nearly twice as many facts"
set logscale xy 2
set xlabel "hidden units d_{ff}  of the ReLU FFN"
set ylabel "facts, nine in ten of them named right"
set xrange [10:115]
set xtics (12, 24, 48, 96)
set yrange [160:2600]
set ytics 256, 2, 2048
unset key
set label 1 "SwiGLU, with as many weights" at 38,1000 right tc lt 2
set label 2 "ReLU" at 58,850 left tc lt 1
set label 3 "in proportion" at 70,1600 right tc rgb "#444444"
plot csv using "d_ff":(only("relu")) with points lt 1 ps 1, \
     csv using "d_ff":(only("swiglu")) with points lt 2 ps 1, \
     17.5 * x with lines ls 10

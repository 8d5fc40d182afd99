# The activations (left) and their slopes (right), as the backward kernels have them (experiment approximations of chapter 04).
if (terminal eq "svg") set terminal svg size 900,420 font "sans-serif,13" background "white"
csv = data."/approximations.csv"
set multiplot layout 1,2
set xlabel "x"
set xrange [-4:3]
set key top left
set ylabel "f(x)"
set yrange [-0.5:3]
plot csv using "x":"relu" with linespoints lt 6 pointinterval 10 title "ReLU", \
     csv using "x":"gelu" with linespoints lt 1 pointinterval 10 title "GELU", \
     csv using "x":"silu" with linespoints lt 3 pointinterval 10 title "SiLU"
set ylabel "f'(x)"
set yrange [-0.2:1.4]
plot csv using "x":"relu_slope" with linespoints lt 6 pointinterval 10 title "ReLU", \
     csv using "x":"gelu_slope" with linespoints lt 1 pointinterval 10 title "GELU", \
     csv using "x":"silu_slope" with linespoints lt 3 pointinterval 10 title "SiLU"
unset multiplot

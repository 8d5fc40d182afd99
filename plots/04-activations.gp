# The activations themselves (experiment approximations of chapter 04).
set xlabel "x"
set ylabel "f(x)"
set xrange [-4:3]
set yrange [-0.5:3]
set key top left
csv = data."/04-approximations.csv"
plot csv using "x":"relu" every 10 title "ReLU" lt 6, \
     csv using "x":"gelu" every 10 title "GELU" lt 1, \
     csv using "x":"silu" every 10 title "SiLU" lt 3

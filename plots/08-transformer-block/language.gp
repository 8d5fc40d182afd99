# Chapter 08: from GPT-2's block to LLaMA's on the built-in language: loss minus GPT-2's, same seed and batches.
file = data."/language.csv"
set xlabel "training step"
set ylabel "loss minus GPT-2's, nats a byte"
set xrange [40:810]
set yrange [-0.18:0.09]
set datafile missing NaN
set key bottom left
names = "'without biases' 'and RMSNorm' 'and SwiGLU (LLaMA)'"
colours = "#0072B2 #E69F00 #D55E00"
of(block, seed) = strcol(1) eq block && column(3) == seed ? column(6) : NaN
all(block) = strcol(1) eq block ? column(6) : NaN
set label 1 "seed 4" at 805, -0.074 right textcolor rgb "#444444"
plot 0 with lines ls 10 title "GPT-2", \
     for [i=1:3] for [s=1:5] file skip 1 using 4:(of(word(names, i), s)) with lines lw 0.5 lc rgb word(colours, i) notitle, \
     for [i=1:3] file skip 1 using 4:(all(word(names, i))) smooth unique with linespoints lw 2.5 pt 3 + 2 * i ps 0.6 lc rgb word(colours, i) title word(names, i)

# Chapter 08: the block with one part taken away, learning to add neighbouring digits modulo 8.
set title "One part of the block at a time (mean of five seeds)"
set xlabel "step"
set ylabel "loss"
set logscale y
set yrange [1e-3:4]
set key outside bottom center horizontal
csv = data."/08-ablation.csv"
only(name, y) = strcol("variant") eq name ? y : NaN
set style data lines
plot log(8) with lines ls 10 title "a guess: ln 8", \
     csv using "step":(only("no attention", column("loss"))) lt 2 title "no attention", \
     csv using "step":(only("no residual", column("loss"))) lt 4 title "no residual connection", \
     csv using "step":(only("no FFN", column("loss"))) lt 5 title "no FFN", \
     csv using "step":(only("full", column("loss"))) lt 1 title "full (GPT-2's block)", \
     csv using "step":(only("SwiGLU", column("loss"))) lt 3 title "SwiGLU for GELU, as many weights"

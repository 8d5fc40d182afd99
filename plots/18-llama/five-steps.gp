# Chapter 18: loss minus GPT-2's, same seed and batches, for each step from GPT-2 to LLaMA; points are seeds, the line their mean.
csv = data."/five-steps.csv"
set xlabel "step from GPT-2 to LLaMA"
set ylabel "loss minus GPT-2's, nats a byte"
set xrange [-0.4:4.4]
set xtics ("GPT-2" 0, "+ RMSNorm, no biases" 1, "+ SwiGLU" 2, "+ RoPE" 3, "+ GQA" 4)
set key bottom left
set yrange [-0.22:0.05]
plot 0 with lines ls 10 notitle, \
     csv using "order":"minus_gpt2" with points lt 2 pt 7 ps 0.7 title "one seed", \
     csv using "order":"minus_gpt2" smooth unique with lines lt 1 lw 2 title "mean"

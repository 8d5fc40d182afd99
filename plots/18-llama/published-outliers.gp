# Chapter 18: a published model, SmolLM2-135M: the root mean square of the largest channel of each matrix's inputs, over that of
# the median channel, by layer.
csv = data."/published-outliers.csv"
of(name) = (strcol("matrix") eq name) ? column("over_median") : NaN
set xlabel "layer"
set ylabel "largest channel / median channel"
set logscale y
set xrange [-0.5:29.5]; set yrange [1:3000]
set xtics 0,3
set datafile missing NaN
set key top left Left reverse samplen 1.5 maxrows 2
plot csv using "layer":(of("attn.c_attn.weight")) with linespoints lt 1 title "to q, k and v", \
     csv using "layer":(of("attn.c_proj.weight")) with linespoints lt 3 title "attention's way out", \
     csv using "layer":(of("mlp.c_fc.weight")) with linespoints lt 4 title "to the FFN", \
     csv using "layer":(of("mlp.c_proj.weight")) with linespoints lt 2 title "the FFN's way out"

# Chapter 01: how far the outputs of a batch of sequences move when zeros are appended to them.
set title "The same sequences, padded to 16 ... 160 positions (five seeds)"
set xlabel "share of the padded batch that is padding"
set ylabel "shift of the outputs, in standard deviations"
set xrange [0:1]
set yrange [-0.1:3]
set key top left reverse Left
csv = data."/padding.csv"
plot csv using "padding":"theory" every ::0::8 with lines ls 10 title "theory (from mean, deviation and share)", \
     csv using "padding":"batchnorm" with points lt 2 title "BatchNorm", \
     csv using "padding":"layernorm" with points lt 1 title "LayerNorm: exactly 0"

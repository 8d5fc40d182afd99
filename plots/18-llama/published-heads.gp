# Chapter 18: a published model, SmolLM2-135M: how much of its attention each head gives to the first position of a text, from the
# 65th token of a window of 256 on.
if (terminal eq "svg") { set terminal svg size 720,300 font "sans-serif,13" background "white"; set output out }
csv = data."/published-heads.csv"
set xlabel "layer"; set ylabel "head"
set xrange [-0.5:29.5]; set yrange [-0.5:8.5]; set cbrange [0:1]
set xtics 0,3; set ytics 0,2; set cbtics 0.25
set palette defined (0 "#00204d", 0.3 "#414d6b", 0.55 "#7c7b78", 0.8 "#bcaf6f", 1 "#ffea46")
set cblabel "attention"
unset key; unset grid
plot csv skip 1 using 1:2:3 with image pixels

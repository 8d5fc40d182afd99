# Chapter 18: a published model, SmolLM2-135M. Left: what its heads give to the position before (in text), and to the token behind
# the earlier copy (in random tokens that come twice). Right: the best of the latter on 24 random tokens and the same again.
if (terminal eq "svg") { set terminal svg size 880,420 font "sans-serif,13" background "white"; set output out }
heads = data."/published-heads.csv"
map = data."/published-map.csv"
set multiplot layout 1,2
set title "270 heads"
set xlabel "layer"; set ylabel "mean attention"
set xrange [-1:30]; set yrange [0:1.15]
set xtics 0,5
set key top left Left reverse samplen 1
plot heads using (column("layer") - 0.15):"previous" with points lt 1 title "on the position before", \
     heads using (column("layer") + 0.15):"induction" with points lt 2 title "behind the earlier copy"
set title "the best of the latter, one text"
set size square
set xlabel "looks at"; set ylabel "token"
set xrange [-0.5:47.5]; set yrange [47.5:-0.5]; set cbrange [0:1]
set xtics 0,12; set ytics 0,12; set cbtics 0.25
set palette defined (0 "#00204d", 0.3 "#414d6b", 0.55 "#7c7b78", 0.8 "#bcaf6f", 1 "#ffea46")
unset key; unset grid
set style fill solid noborder
# Most weights are 0 and stand for the ground they are on.
set object 1 rectangle from graph 0,0 to graph 1,1 behind fc rgb "#00204d"
plot map skip 1 using 2:($3 < 0.01 ? NaN : $1):(0.5):(0.5):3 with boxxyerror fc palette
unset multiplot

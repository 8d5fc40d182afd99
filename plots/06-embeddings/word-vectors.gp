# Chapter 06: how alike the rows of a learned table of words are. The model is never told the classes of the words; words of
# one class are followed by the same words. Of the eight words of a class the maps show three.
if (terminal eq "svg") { set terminal svg size 920,345 font "sans-serif,14" background "white"; set output out }
map = data."/word-map.csv"
csv = data."/word-vectors.csv"
set multiplot
set size square
unset key; unset grid
set xrange [-0.5:17.5]; set yrange [17.5:-0.5]; set cbrange [-1:1]
set xtics ("1" 1, "2" 4, "3" 7, "4" 10, "5" 13, "6" 16) scale 0
set ytics ("1" 1, "2" 4, "3" 7, "4" 10, "5" 13, "6" 16) scale 0
place(i) = 3 * int(i / 8) + int(i) % 8
shown(i, j) = int(i) % 8 < 3 && int(j) % 8 < 3 ? place(i) : NaN
set datafile missing NaN
set palette defined (-1 "#00204d", -0.5 "#414d6b", 0 "#7c7b78", 0.5 "#bcaf6f", 1 "#ffea46")
set xlabel "class of the word"; set ylabel "class of the word" offset 1
set lmargin at screen 0.06; set rmargin at screen 0.30; set tmargin at screen 0.88; set bmargin at screen 0.19
set title "cosine before training"
unset colorbox
plot map skip 1 using (shown($1, $2)):(place($2)):3 with image pixels
set lmargin at screen 0.345; set rmargin at screen 0.585
unset ylabel
set title "after 1500 steps"
set colorbox user origin 0.597,0.215 size 0.012,0.64
set cbtics 0.5
plot map skip 1 using (shown($1, $2)):(place($2)):4 with image pixels
set size nosquare
set lmargin at screen 0.705; set rmargin at screen 0.985
set datafile missing
set title "mean cosine of two words from"
set grid; set key top right samplen 2 spacing 1.1
unset colorbox
set xlabel "training step"; unset ylabel
set xrange [0:1550]; set yrange [-0.1:1.4]
set xtics 500 scale 1; set ytics 0, 0.25, 1 scale 1
of(seed, y) = column("seed") == seed ? y : NaN
plot for [k=1:5] csv using "step":(of(k, column("within"))) with lines lt 1 lw 1.5 title (k == 1 ? "the same class" : ""), \
     for [k=1:5] csv using "step":(of(k, column("followed_alike"))) with lines lt 3 lw 1.5 title (k == 1 ? "two classes, followed alike" : ""), \
     for [k=1:5] csv using "step":(of(k, column("across"))) with lines lt 2 lw 1.5 title (k == 1 ? "any two classes" : "")
unset multiplot

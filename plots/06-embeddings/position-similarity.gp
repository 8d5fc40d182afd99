# Chapter 06: how alike two positions are. Sinusoidal rows know their distance; learned rows know what their task asks for.
# Of the 32 positions the maps show the first 14.
if (terminal eq "svg") { set terminal svg size 880,800 font "sans-serif,14" background "white"; set output out }
maps = data."/position-similarity.csv"
lines = data."/similarity-by-distance.csv"
set multiplot layout 2,2 margins 0.085,0.89,0.085,0.935 spacing 0.15,0.15
set size square
set xlabel "position p"; set ylabel "position q"
set xrange [-0.5:13.5]; set yrange [-0.5:13.5]; set cbrange [-0.6:1]
set xtics 0,4; set ytics 0,4; set cbtics 0.5
set palette defined (-0.6 "#00204d", -0.2 "#414d6b", 0.2 "#7c7b78", 0.6 "#bcaf6f", 1 "#ffea46")
set cblabel "cosine" offset -0.5
set colorbox user origin 0.9,0.585 size 0.015,0.35
unset key; unset grid; unset colorbox
shown(p, q) = p < 14 && q < 14 ? p : NaN
set datafile missing NaN
set title "sinusoidal"
plot maps skip 1 using (shown($1, $2)):2:3 with image pixels
set title "learned, for the word before"
set colorbox
plot maps skip 1 using (shown($1, $2)):2:4 with image pixels
set title "learned, for one of the last eight"
unset colorbox
plot maps skip 1 using (shown($1, $2)):2:5 with image pixels
set size nosquare; unset cblabel
set datafile missing
set title "means over pairs"
set grid; set key at graph 0.98, graph 0.99 samplen 2
set xlabel "distance"; set ylabel "cosine"
set xrange [0.5:16.5]; set yrange [-0.6:1.35]
set xtics 0, 4; set ytics (-0.5, 0, 0.5, 1)
of(seed, y) = column("seed") == seed ? y : NaN
plot 0 with lines ls 10 notitle, \
     for [k=1:5] lines using "distance":(of(k, column("window"))) lt 1 lw 1 pi 5 title (k == 1 ? "one of the last eight" : ""), \
     for [k=1:5] lines using "distance":(of(k, column("before"))) lt 2 lw 1 pi 5 title (k == 1 ? "the word before" : ""), \
     lines using "distance":(of(1, column("sinusoidal"))) lt 3 title "sinusoidal"
unset multiplot

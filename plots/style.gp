# Settings of all figures. The caller sets `data` (directory of the CSV files), `terminal` (svg or dumb) and `out`.
# Colours: Okabe & Ito's, which colour-blind readers can tell apart; every line has a marker of its own as well.
set datafile separator ","
if (terminal eq "dumb") { set terminal dumb 79 22 } else {
    set terminal svg size 720,440 font "sans-serif,13" background "white"
    set output out
}
set linetype 1 lc rgb "#0072B2" lw 2 pt 7 ps 0.6
set linetype 2 lc rgb "#D55E00" lw 2 pt 5 ps 0.6
set linetype 3 lc rgb "#009E73" lw 2 pt 9 ps 0.7
set linetype 4 lc rgb "#CC79A7" lw 2 pt 13 ps 0.7
set linetype 5 lc rgb "#E69F00" lw 2 pt 11 ps 0.7
set linetype 6 lc rgb "#56B4E9" lw 2 pt 4 ps 0.7
# Theory: dashed, dark grey, no marker.
set style line 10 lc rgb "#444444" lw 1.5 dt 2
set grid lc rgb "#dddddd" lw 1
set border 3 lc rgb "#444444"
set tics nomirror
set key top right
set style data linespoints

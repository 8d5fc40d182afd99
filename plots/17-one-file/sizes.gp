# Chapter 17: milliseconds for one more token against the width of the model (4 layers), by the program of one file and by chapter 13's,
# both on one thread.
if (terminal eq "svg") set terminal svg size 620,400 font "sans-serif,13" background "white"
csv = data."/sizes.csv"
set logscale xy
set key top left
set xlabel "width of the model, D"
set ylabel "ms for one more token"
set xtics (64, 128, 256, 512, 768)
set xrange [56:880]
plot csv using "width":"one_file_ms" with linespoints lt 2 pi 1 title "one file, plain loops", \
     csv using "width":"course_ms" with linespoints lt 1 pi 1 title "chapter 13"

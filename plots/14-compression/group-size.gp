# Relative error of 4 bits against how many weights share a scale: white noise and a trained matrix, a scale alone or with an offset; dashed what the largest of n normal numbers gives.
file = data."/group-size.csv"
if (terminal eq "svg") set terminal svg size 720,420 font "sans-serif,13" background "white"
of(m, y) = strcol(1) eq m ? column(y) : NaN
set datafile missing NaN
set logscale x 2
set xrange [7:290]
set xtics (8, 16, 32, 64, 128, 256)
set xlabel "weights that share a scale"
set ylabel "relative error"
set yrange [0:0.14]
set key bottom right
set style data points
plot file using "group":(column("seed") == 1 ? of("noise", "theory") : NaN) with lines ls 10 title "theory, a scale alone", \
     "" using "group":(of("FFN", "error")) lt 2 ps 0.9 title "trained matrix, a scale alone", \
     "" using "group":(of("noise", "error")) lt 1 ps 0.9 title "white noise, a scale alone", \
     "" using "group":(of("FFN", "offset_error")) lt 4 pt 12 ps 0.9 title "trained matrix, scale and offset", \
     "" using "group":(of("noise", "offset_error")) lt 3 pt 8 ps 0.9 title "white noise, scale and offset"

# Chapter 06: three starts of the two tables, at four learning rates. Means of five seeds; bars reach from the fewest to the
# most steps.
csv = data."/initialization.csv"
only(start, y) = strcol("start") eq start ? y : NaN
starts = "xavier ones gpt2"
titles = "'words N(0, 0.0063^2), positions N(0, 1)' 'both N(0, 1)' 'both N(0, 0.02^2)'"
set xlabel "learning rate"; set ylabel "steps to 95 % right"
set logscale x; set xrange [0.0008:0.04]; set yrange [0:450]
set xtics (0.001, 0.003, 0.01, 0.03)
set bars 0.5
plot for [i=1:3] csv using (column("rate") * 1.02**(i - 2)):(only(word(starts, i), column("mean"))):(column("low")):(column("high")) with yerrorbars lt i notitle, \
     for [i=1:3] csv using (column("rate") * 1.02**(i - 2)):(only(word(starts, i), column("mean"))) lt i title word(titles, i)

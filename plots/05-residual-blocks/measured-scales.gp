# Scales that are measured on a batch: the stream stays at 2 and the scales find their own power of N, for branches that are
# independent of the stream (1/√N) and for branches that go along with it (1/N).
if (terminal eq "svg") set terminal svg size 880,400 font "sans-serif,13" background "white"
csv = data."/measured-scales.csv"
of(kind, y) = strcol("kind") eq kind ? y : NaN
set multiplot layout 1,2 margins 0.08,0.985,0.15,0.9 spacing 0.09
set logscale xy
set xrange [3.5:75]
set xtics (4, 8, 16, 32, 64)
set xlabel "number of branches, N"
set title "growth of the mean square from end to end"
set yrange [1:1e10]
set format y "10^{%T}"
set ytics 1, 100
set key top left Left reverse samplen 2
plot csv using "layers":(of("tied", column("fixed"))) lt 2 title "tied, s = 1/√N", \
     csv using "layers":(of("independent", column("fixed"))) lt 1 title "independent, s = 1/√N", \
     2 with lines ls 10 title "2", \
     csv using "layers":(of("tied", column("measured"))) lt 2 dt 3 pt 4 title "tied, measured", \
     csv using "layers":(of("independent", column("measured"))) lt 1 dt 3 pt 6 title "independent, measured"
set title "the measured scales, mean over the branches"
set yrange [0.002:1]
unset format
set ytics (0.003, 0.01, 0.03, 0.1, 0.3, 1)
set key bottom left
plot sqrt(log(2) / x) with lines ls 10 title "√(ln 2 / N)", \
     csv using "layers":(of("independent", column("scale"))) lt 1 title "independent", \
     0.25 / x with lines ls 10 dt 3 title "proportional to 1/N", \
     csv using "layers":(of("tied", column("scale"))) lt 2 title "tied"
unset multiplot

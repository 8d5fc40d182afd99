# Chapter 19: what a story of the old language costs more after 200 steps on the new one, by the share of old stories in each
# batch. The dashed line is the law, ln(1/share). Points are seeds, lines their means; where there are no old stories the law has no
# bound, and no line leads there.
csv = data."/law.csv"
at(rho) = rho > 0 ? -log(rho) : 6.2
some(rho) = rho > 0 ? -log(rho) : NaN
set xlabel "share of old stories in a batch"
set ylabel "nats that an old story costs more"
set xrange [0.3:6.6]
set xtics ("1/2" -log(0.5), "1/10" -log(0.1), "1/100" -log(0.01), "none" 6.2)
set yrange [0:29]
unset key
set arrow 1 from -log(0.5), -log(0.5) to 5.4, 5.4 nohead ls 10
set label 1 "the law" at 5.0, 3.4 left tc rgb "#444444"
set label 2 "its first name" at 5.2, 8.6 right tc rgb "#0072B2"
set label 3 "the whole story" at 4.2, 15.6 right tc rgb "#D55E00"
plot csv using (at(column("replay"))):"first" with points lt 1 ps 0.5 notitle, \
     csv using (some(column("replay"))):"first" smooth unique with lines lt 1 notitle, \
     csv using (at(column("replay"))):"all" with points lt 2 ps 0.5 notitle, \
     csv using (some(column("replay"))):"all" smooth unique with lines lt 2 notitle

# pRMSNorm: final loss against the part of the row that is measured; one point per seed, the line is their mean.
set logscale x 2
unset key
set title "Three elements tell the size of a row of 64; one does not"
set xlabel "elements measured, of 64"
set ylabel "loss on new samples, nats (log scale)"
set xrange [0.8:100]
set logscale y
set yrange [0.98:2.3]
set ytics (1, 1.1, 1.2, 1.4, 1.6, 1.8, 2)
set xtics (1, 2, 3, 4, 8, 16, 32, "64 (RMSNorm)" 64)
csv = data."/part.csv"
stats csv skip 1 using (strcol(1) eq "layer" ? $5 : NaN) name "L" nooutput
stats csv skip 1 using (strcol(1) eq "none" ? $5 : NaN) name "N" nooutput
measured(n) = (strcol(1) eq "rms" || strcol(1) eq "prms") ? n : NaN
set label 1 "no norm" at 80,1.21 right tc rgb "#444444"
set label 2 "LayerNorm: mean, and deviation over seeds" at 80,1.145 right tc lt 1
set label 3 "pRMSNorm" at 1.6,1.5 left tc lt 2
set style fill transparent solid 0.2 noborder
plot '+' using (0.8 * 125**$0):(L_mean - L_ssd):(L_mean + L_ssd) every ::0::1 with filledcurves lc rgb "#0072B2" notitle, \
     N_mean with lines ls 10, \
     L_mean with lines lt 1, \
     csv skip 1 using (measured($2)):5 smooth unique with lines lt 2 notitle, \
     csv skip 1 using (measured($2)):5 with points lt 2

# Chapter 10: a GPT-2 with one mistake: the largest error of a logit against PyTorch's.
set yrange [14.7:-0.7]
set border 1
set ytics nomirror noenhanced scale 0
set grid xtics ytics
unset key
csv = data."/mistakes.csv"
set title "All fourteen mistakes show in the logits; 1 % would let three pass"
set xlabel "largest error of a logit"
set logscale x
set xrange [1e-6:100]
set format x "10^{%T}"
set arrow 1 from 1e-4, -0.7 to 1e-4, 14.7 nohead ls 10 front
set label 1 "the judge's tolerance" at 1.3e-4, 13.7 front tc rgb "#444444"
set arrow 2 from 0.05, -0.7 to 0.05, 14.7 nohead ls 10 front
set label 2 "1 % of the largest logit" at 0.062, 0.3 front tc rgb "#444444"
set label 3 "the right model" at 4e-6, 0 front tc lt 1
plot csv every ::1 using 2:0:ytic(1) with points lt 1 pt 7 ps 0.9

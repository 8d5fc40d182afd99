# Chapter 10: a GPT-2 with one mistake, against PyTorch. Data: 10-mistakes.csv.
set title "How far one mistake moves the logits of a small GPT-2" noenhanced
set xlabel "largest error of a logit (absolute)"
set logscale x
set xrange [1e-6:100]
set format x "10^{%T}"
set yrange [-0.7:14.7]
set border 1
set ytics nomirror noenhanced
unset key
csv = data."/10-mistakes.csv"
set arrow from 1e-4, -0.7 to 1e-4, 14.7 nohead ls 10
set label "the test allows 1e-4" at 1.2e-4, 0 textcolor rgb "#444444"
plot csv every ::1 using 2:0:(1e-6):2:($0-0.28):($0+0.28):ytic(1) with boxxyerror lt 1 fill solid 0.6 noborder

# Chapter 13: milliseconds for one more token against its position, with and without the cache: a small model
# (4 blocks of width 128) and one of GPT-2's size.
if (terminal eq "svg") set terminal svg size 720,400 font "sans-serif,13" background "white"
set logscale y
set key top left
set multiplot layout 1,2 margins 0.105,0.98,0.15,0.9 spacing 0.1
set xlabel "position of the token"
set ylabel "ms for one more token"
set xtics 128
set xrange [0:530]
set yrange [0.02:*]
set title "4 blocks of width 128"
csv = data."/13-time-per-token.csv"
plot csv using "position":"without_cache_ms" lt 2 pi 4 title "without", csv using "position":"with_cache_ms" lt 1 pi 4 title "with the cache"
unset ylabel
unset key
set xtics 256
set xrange [0:1060]
set yrange [5:*]
set title "GPT-2's size"
csv = data."/13-time-gpt2.csv"
plot csv using "position":"without_cache_ms" lt 2, csv using "position":"with_cache_ms" lt 1
unset multiplot

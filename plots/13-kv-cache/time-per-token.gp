# Chapter 13: milliseconds for one more token against its position, with and without the cache: a small model
# (4 blocks of width 128) and one of GPT-2's size; dashed, what would be proportional to the position.
if (terminal eq "svg") set terminal svg size 720,420 font "sans-serif,13" background "white"
set logscale xy
set key top left
set multiplot layout 1,2 margins 0.1,0.98,0.15,0.9 spacing 0.1
set xlabel "position of the token"
set ylabel "ms for one more token"
set xtics (1, 4, 16, 64, 256, 1024)
set xrange [0.8:1300]
do for [file in "/time-per-token.csv /time-gpt2.csv"] {
    csv = data.file
    small = file eq "/time-per-token.csv"
    set title small ? "4 blocks of width 128" : "GPT-2's size"
    set yrange [*:*]
    stats csv using "position":"without_cache_ms" nooutput name "T"
    stats csv using "position":"with_cache_ms" nooutput name "C"
    stats csv using "position" every ::1::1 nooutput name "S"
    from = S_min > 16 ? 1 : 0 # no line over positions at which nothing was timed
    set yrange [0.6 * C_min_y:1.5 * T_max_y]
    plot T_max_y * x / T_max_x with lines ls 10 title "proportional", \
         csv using "position":"without_cache_ms" every ::from lt 2 title "without", \
         csv using "position":"with_cache_ms" every ::from lt 1 title "with the cache", \
         csv using "position":"without_cache_ms" every ::0::0 with points lt 2 notitle, \
         csv using "position":"with_cache_ms" every ::0::0 with points lt 1 notitle
    unset ylabel
    unset key
}
unset multiplot

# Chapter 15: seconds of a training step against length, width and layers, and what operations alone would give, drawn through the
# first point.
if (terminal eq "svg") set terminal svg size 860,330 font "sans-serif,13" background "white"
csv = data."/growth.csv"
set logscale xy
set multiplot layout 1,3 margins 0.1,0.985,0.17,0.95 spacing 0.06
of(axis, y) = strcol("axis") eq axis ? column(y) : NaN
set ylabel "ms a step"
do for [axis in "length width layers"] {
    set xlabel axis eq "length" ? "tokens in a text" : axis eq "width" ? "width" : "blocks"
    set key top left
    if (axis eq "layers") { set xrange [0.8:10] } else { set xrange [50:640] }
    set xtics (1, 2, 4, 8, 64, 128, 256, 512)
    plot csv using "size":(1e3 * of(axis, "by_operations_s")) with lines ls 10 title "operations", \
         csv using "size":(1e3 * of(axis, "seconds")) lt 1 title "measured"
    unset ylabel
}
unset multiplot

# Chapter 15: milliseconds a token of GPT-2 124M against the bytes of its weights, and bytes over bandwidth, with one thread and
# with two. Laid out, weights come near to that floor, and fewer bytes are fewer milliseconds; as filed, blocks are not.
if (terminal eq "svg") set terminal svg size 760,440 font "sans-serif,13" background "white"
csv = data."/15-decoding.csv"
set logscale xy
set datafile missing NaN # the rows of both threads alternate
set xrange [50:900]
set yrange [0.5:200]
set xtics (70, 132, 495)
set for [i=1:3] label i word("Q4\\_0 Q8\\_0 floats", i) at word("70 132 495", i) + 0, 0.65 center
set xlabel "megabytes of weights that a token reads"
set ylabel "milliseconds a token"
set key outside right center
of(t, y) = column("threads") == t ? column(y) : NaN
plot csv using "read_mb":(of(1, "filed_ms")) lt 1 pt 6 dt 3 ps 1 title "as filed, 1 thread", \
     "" using "read_mb":(of(2, "filed_ms")) lt 2 pt 4 dt 3 ps 1 title "as filed, 2", \
     "" using "read_mb":(of(1, "prepared_ms")) lt 1 ps 1 title "laid out, 1 thread", \
     "" using "read_mb":(of(2, "prepared_ms")) lt 2 ps 1 title "laid out, 2", \
     "" using "read_mb":(of(1, "bound_ms")) with lines ls 10 title "bytes over bandwidth, 1", \
     "" using "read_mb":(of(2, "bound_ms")) with lines ls 10 dt 3 title "bytes over bandwidth, 2"

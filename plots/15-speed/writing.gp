# Chapter 15: milliseconds a token of GPT-2 124M against the bytes of its weights, one thread, and bytes over bandwidth. As filed,
# fewer bytes are not fewer milliseconds; laid out they are, and products in whole numbers come nearest to that bound.
if (terminal eq "svg") set terminal svg size 760,440 font "sans-serif,13" background "white"
csv = data."/decoding.csv"
integers = data."/integers.csv"
set logscale xy
set datafile missing NaN # the rows of two threads are left out
set xrange [50:900]
set yrange [1:100]
set xtics (70, 132, 495)
set for [i=1:3] label i word("Q4\\_0 Q8\\_0 floats", i) at word("70 132 495", i) + 0, 1.25 center
set xlabel "megabytes of weights that a token reads"
set ylabel "milliseconds a token"
set key at graph 0.98, graph 0.45 right
of(y) = column("threads") == 1 ? column(y) : NaN
megabytes(form) = form eq "q8_0" ? 132 : 70
plot csv using "read_mb":(of("filed_ms")) lt 1 pt 6 dt 3 ps 1 title "as filed", \
     "" using "read_mb":(of("prepared_ms")) lt 1 ps 1 title "laid out", \
     integers using (megabytes(strcol("weights"))):(of("integer_ms")) lt 2 pt 5 ps 1 title "in whole numbers", \
     csv using "read_mb":(of("bound_ms")) with lines ls 10 title "bytes over bandwidth"

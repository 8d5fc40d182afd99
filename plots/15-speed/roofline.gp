# Chapter 15: GPT-2's kernels below the roof of the machine, one thread: operations a second against operations a byte.
roofs = data."/roof.csv"
csv = data."/roofline.csv"
if (terminal eq "svg") set terminal svg size 800,470 font "sans-serif,13" background "white"
stats roofs using (column("threads") == 1 ? column("peak_gflops") : NaN) nooutput name "P"
stats roofs using (column("threads") == 1 ? column("read_gb_per_s") : NaN) nooutput name "R"
stats roofs using (column("threads") == 1 ? column("change_gb_per_s") : NaN) nooutput name "C"
set logscale xy
set xrange [0.2:300]
set yrange [1:300]
set xlabel "operations for each byte of memory"
set ylabel "GFLOP/s"
set key at graph 0.99, graph 0.02 bottom right
set label "products" at 85, P_max * 1.4 center font ",10"
roof(x, rate) = x * rate < P_max ? x * rate : P_max
of(when) = column("threads") == 1 && strcol("when") eq when ? column("gflops") : NaN
# Where the name of a kernel stands, beside points that lie close together.
side(name) = name eq "attention" || name eq "cross-entropy" ? "left" : name eq "AdamW" || name eq "LayerNorm dx" ? "over" : name eq "GELU dx" ? "under" : ""
named(where, name) = column("threads") == 1 && column("flop_per_byte") < 40 && strcol("when") ne "prompt" && side(name) eq where ? column("gflops") : NaN
plot roof(x, R_max) with lines ls 10 title "reading memory, then the peak", \
     roof(x, C_max) with lines ls 10 dt 3 title "reading and writing", \
     csv using "flop_per_byte":(of("forward")) with points lt 1 ps 1.1 title "forward", \
     csv using "flop_per_byte":(of("backward")) with points lt 2 ps 1.1 title "backward", \
     csv using "flop_per_byte":(of("prompt")) with points lt 4 pt 12 lw 2 ps 1.5 title "a prompt of 512 tokens", \
     csv using "flop_per_byte":(of("decoding")) with points lt 3 ps 1.3 title "one token", \
     csv using "flop_per_byte":(named("", strcol("kernel"))):(strcol("kernel")) with labels offset 0.7,0 left font ",10" notitle, \
     csv using "flop_per_byte":(named("left", strcol("kernel"))):(strcol("kernel")) with labels offset -0.7,0 right font ",10" notitle, \
     csv using "flop_per_byte":(named("over", strcol("kernel"))):(strcol("kernel")) with labels offset -0.5,0.9 right font ",10" notitle, \
     csv using "flop_per_byte":(named("under", strcol("kernel"))):(strcol("kernel")) with labels offset 0.5,-0.7 left font ",10" notitle

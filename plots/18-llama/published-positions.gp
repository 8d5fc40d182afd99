# Chapter 18: a published model, SmolLM2-135M: what a token costs by how many tokens of the text stand before it in the window, on
# prose; means over 1, 2 to 3, 4 to 7 ... tokens.
csv = data."/published-positions.csv"
set xlabel "tokens before"
set ylabel "loss, nats a token"
set logscale x 2
set xrange [1:1024]
set yrange [3:9]
unset key
plot csv using (sqrt(column("from") * column("to"))):"loss" with linespoints lt 1

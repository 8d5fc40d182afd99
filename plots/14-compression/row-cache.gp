# Share of the readings that find their row decoded, by the size of the cache: a play's tokens, and a product, which reads every row.
# Where the play was not there, the data of the repository are drawn.
file = data."/row-cache.csv"
play = data."/row-cache-play.csv"
if (system("test -e '".play."' || echo missing") eq "missing") play = "plots/14-compression/row-cache-play.csv"
of(r, s, c) = strcol(1) eq r && column("seed") == s ? column(c) : NaN
set datafile missing NaN
set logscale x 2
set xrange [0.0018:1.1]
set xtics ("1/512" 1.0/512, "1/64" 1.0/64, "1/8" 1.0/8, "all" 1)
set xlabel "rows that the cache holds, share of the matrix"
set ylabel "readings that find their row held, share"
set yrange [-0.02:1.02]
set key top left Left reverse samplen 2
plot play using "share":"zipf" with lines ls 10 title "Zipf's law, the most frequent rows", \
     "" using "share":"latest" lt 1 title "a play, the latest rows", \
     "" using "share":"first" lt 2 title "a play, the first rows", \
     for [s=1:3] file using "share":(of("stories", s, "latest")) lt 3 title s == 1 ? "our stories, the latest rows" : "", \
     file using "share":(of("product", 0, "first")) lt 5 title "products, the first rows", \
     "" using "share":(of("product", 0, "latest")) lt 4 title "products, the latest rows"

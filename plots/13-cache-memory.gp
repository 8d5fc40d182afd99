# Chapter 13: bytes of GPT-2's cache against the length of the text.
csv = data."/13-cache-memory.csv"
set xlabel "tokens"
set ylabel "cache in MiB"
set xtics 128
set xrange [0:1100]
set yrange [0:80]
set key top left
plot csv using "tokens":(column("formula_bytes")/2**20) with lines ls 10 title "2 L T d 4 bytes", \
     csv using "tokens":(column("full_bytes")/2**20) with points lt 1 title "whole cache", \
     csv using "tokens":(column("window_bytes")/2**20) with points lt 2 title "4 sinks and a window of 252"

# tour.awk TOUR.TXT OUTPUT: the table that make tour shows of a chapter: the columns that tour.txt
# names and three rows, of 72 columns at most. Each line of OUTPUT begins with the chapter's
# number. Numbers are as the program prints them.
BEGIN { FS = " [|] " }
NR == FNR { title[$1] = $4; next }
FNR == 1 {
    FS = " "
    $0 = $0
    split(title[$1], t, ", ")
    row(t[1], t[2], t[3], t[4], t[5])
}
function row(name, a, b, c, d) {
    line = sprintf("  %-22s%12s%12s%12s%12s", name, a, b, c, d)
    sub(/ +$/, "", line)
    print line
}
function percent(share) { return sprintf("%.0f %%", 100 * share) }

/^00  +(0|100|1000) / { row($2, $3, percent($4), $5, percent($6)) }
/^01  +(1|2|256) .*-0.188/ { row($2, $3, $6) }
/^02 (post|pre)-LN  / { without = $6 }
/^02 (post|pre)-LN [+]/ { row($2, without, $8) }
/^02 guessing/ { row($2, $3, $3) }
/^03  +(0|10|100) +1.2/ { row($2, $3, $4, $5) }
/^04 .*0.044715/ { row("with tanh, GPT-2's", $(NF - 4)) }
/^04 .*1.702 x[)]  / { row("with a sigmoid", $(NF - 4)) }
/^04 .*mixed up  / { row("the two mixed up", $(NF - 4)) }
/^05 plain .*x[)] +[0-9]/ { row("x + F(x)", $6, $7, $9) }
/^05 pre-LN .*x[)] +[0-9]/ { row("x + F(norm x)", $7, $8, $10) }
/^05 rezero .*0 +[0-9]/ { row("x + alpha F(x)", $10, $11, $13) }
/^06  +(none|learned|sinusoidal) +50/ { row($2, $3, $4, $5) }
/^07  +(0|50|150)  / { row($2, $3, $4) }
/^08  +(GPT-2|SmolLM2-135M|Qwen2.5-0.5B)  .*%/ { row($2, $3, $4, $5, $6) }
/^09  +vocabulary (257|512)/ { row($3 + 0, $4) }
/^09  +.Paul/ && sub(/^09  /, "") { print }
/^10 loss/ { row("its loss", $3); row("guessing", $NF) }
/^12 as it is/ { row("none", $5, $6, $7, $8) }
/^12 temperature 2/ { row("temperature 2", $4, $5, $6, $7) }
/^12 top-p/ { row("top-p 0.8", $4, $5, $6, $7) }
/^14 (q8_0|q4_0|q3) / { row($2, $(NF - 2), $(NF - 1), $NF) }
/^15 loops/ { row("three loops", $(NF - 1), $NF) }
/^15 registers/ { row("tiles in registers", $(NF - 1), $NF) }
/^15 prepared/ { row("all of it", $(NF - 1), $NF) }
/^16  +[246]0  / { row($2, $3, $4) }
/^17 one file writes/ { row("tokens written", $5, $10 + 0) }
/^17 a token/ { row("ms a token", $8, $12) }
/^18  +(5|105|705) .*[.]/ { row($2 " and " $3, $4, $5, $6) }
/^19  +[12]?0?0  / { row($2, $(NF - 1), $NF) }

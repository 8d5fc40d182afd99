# Every decimal in a README's prose comes from somewhere. Values that a list below the paragraph
# names (values.awk), code, formulas, link targets, sections of papers and arXiv's numbers say
# where; any other, a setting or a paper's number, must be listed in a comment, which must list no
# number that the prose does not have (on a line of its own, below the paragraph; numbers first,
# then their source):
#
#   <!-- given: 0.9 0.95 AdamW's betas -->
function fail(line, message) { print FILENAME ":" line ": " message > "/dev/stderr"; failed = 1 }

# The line without comments, code, formulas and link targets. A comment or a displayed formula may
# go on for lines and leaves its end in `until`; the others end where they began, so that no lone $
# or ` hides the lines below.
function prose(line,    out, at, opener, closer) {
    for (;;) {
        if (until != "") {
            if (!(at = index(line, until))) return out
            line = substr(line, at + length(until))
            until = ""
        }
        if (!match(line, /<!--|`+|\$\$?|\]\(/)) return out line
        opener = substr(line, RSTART, RLENGTH)
        out = out substr(line, 1, RSTART - 1) " "
        line = substr(line, RSTART + RLENGTH)
        if (opener == "<!--") until = "-->"
        else if (opener == "$$") until = "$$"
        else {
            closer = opener == "](" ? ")" : opener
            if (at = index(line, closer)) line = substr(line, at + length(closer))
        }
    }
}

function is_decimal(text) { return text ~ /^[0-9]+\.[0-9]+$/ }

function give(line,    word, n, i) {
    n = split(line, word, " ") - 1 # the last one closes the comment
    for (i = 3; i <= n && is_decimal(word[i]); i++) given[word[i]] = FNR
    if (line !~ / -->$/ || i == 3 || i > n)
        fail(FNR, "expected <!-- given: NUMBERS SOURCE -->, as 0.9 0.95 AdamW's betas")
}

/^ *```/ { fence = !fence; next }
fence { next }
/^<!-- values$/ { listing = 1; next }
listing && /^-->$/ { listing = 0; next }
listing { if (match($1, /[0-9]+\.[0-9]+/)) filled[substr($1, RSTART, RLENGTH)]; next }
/^<!-- given: / { give($0); next }
/<!-- given:/ { fail(FNR, "<!-- given: ... --> needs a line of its own") }
{
    line = prose($0)
    gsub(/arXiv [0-9.]+|[Ss]ections? [0-9.]+/, "", line)
    while (match(line, /[0-9]+\.[0-9]+/)) {
        number[++n] = substr(line, RSTART, RLENGTH)
        used[number[n]]
        at[n] = FNR
        line = substr(line, RSTART + RLENGTH)
    }
}

END {
    for (i = 1; i <= n; i++)
        if (!(number[i] in given) && !(number[i] in filled))
            fail(at[i], number[i] \
                 " is neither filled in from data nor in a comment <!-- given: ... -->")
    for (g in given)
        if (!(g in used)) fail(given[g], g " is given, and the prose has no such decimal")
    exit failed
}

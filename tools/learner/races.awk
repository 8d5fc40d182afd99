# From ThreadSanitizer's reports of a run of test_harness.c: a line "test: message" for each test in which two threads use one place,
# and one of them writes.
#
#   -v file=FILE       the learner's, as it was compiled
BEGIN {
    while ((getline line < file) > 0) text[++n_lines] = line
}
/^WARNING: ThreadSanitizer: data race/ { n = 0; in_report = 1 }
/^SUMMARY: ThreadSanitizer/ { in_report = 0 }

# Both uses of the place, each with the innermost line that is the learner's.
in_report && /^  (Previous )?(atomic )?([Ww]rite|[Rr]ead) of size / { at[++n] = 0 }
in_report && /^  [A-Z][a-z]+ (T[0-9]+ |is )/ { in_report = 0 }
in_report && n && !at[n] && (start = index($0, file ":")) { at[n] = substr($0, start + length(file) + 1) + 0 }

/^(not )?ok - / {
    if (n && (at[1] || at[2])) {
        sub(/^[^:]*::/, "")
        sub(/ .*/, "")
        print $0 ": " message(at[1] ? at[1] : at[2], at[2] ? at[2] : at[1])
    }
    n = 0
}

function message(line, other,    code) {
    code = text[line]
    gsub(/^[ \t]+|[ \t]+$/, "", code)
    return (line == other ? "two threads write to the same place in " file ":" line : \
        "one thread writes to what another uses, in " file ":" line " and line " other) ", `" substr(code, 1, 90) \
        "`: this is what you get when threads share a sum, a variable or scratch" \
        (line == other ? "" : ", or one reads beyond its own part, where another writes") "; declare it inside the loop, or give each " \
        "row, chunk or thread one of its own, and add sums up behind the loop (lesson 15, parallel_sum)"
}

# What further runs, and other tests, say of tests that failed: "test: note" lines, for tools/learner/failures.awk. Reads the output of the
# tests (with CHECK_BITS) on several threads. Of further runs of the same tests:
#
#   -v one=FILE      on one thread
#   -v filled=FILE   on one thread, where fresh memory holds other numbers
#   -v zeros=FILE    where outputs and gradients start as 0 (CHECK_ZEROS)
#   -v races=FILE    "test: what is wrong" of tests in which ThreadSanitizer saw two threads write to one place
#
# A test that passes there, or fails with other numbers where fresh memory holds other ones, is told what that means. Where that says
# nothing, and the numbers do not say where, sizes may: all that fails may be larger than all that passes.
function name_of(text) { sub(/^[^:]*::/, "", text); sub(/:.*/, "", text); return text }

function read_run(file, run,    line, words, test) {
    while (file != "" && (getline line < file) > 0) {
        split(line, words)
        if (line ~ /^\[RUN \] /) test = name_of(words[3])
        if (line ~ /^\[PASS\] /) passed[name_of(words[2]), run] = 1
        if (line ~ /^\[----\]  /) hear(test, run, line)
    }
}

# What fails, in words: where numbers are the same, so are these. Numbers that several threads change say nothing of memory.
function hear(test, run, line) {
    gsub(/-nan/, "nan", line)
    said[test, run] = said[test, run] line
}
function is_of_fresh_memory(test,    usual) {
    usual = said[test, (one != "" ? "one" : "many")]
    if (filled == "" || usual == "" || usual ~ /never written|with one thread it is right/) return 0
    return (test, "filled") in passed || ((test, "filled") in said && said[test, "filled"] != usual)
}

# Whether the gradient lacks what it held before, the 1.5 of ones_and_a_half.
function is_lost(message,    by) {
    if (message ~ /overwritten \(=\)/) return 1
    if (!match(message, /: got [^,]*, expected [^,]*/)) return 0
    split(substr(message, RSTART + 6, RLENGTH - 6), by, ", expected ")
    return by[2] - by[1] > 1.499 && by[2] - by[1] < 1.501
}

function is_gradient(message) {
    sub(/^\[----\] +/, "", message)
    sub(/ is wrong in .*/, "", message)
    return message ~ /^d[a-z]|gradient/
}

# Whether some numbers are never written that should be 0.
function is_zero(message,    words) {
    split(substr(message, match(message, / is wrong in /) + 13), words, " ")
    return words[1] < words[3] && message ~ / got -?nan, expected 0,/ && message ~ /are never written/
}

# Of each size, the largest and the least that was right, and whether an odd one was; by what is compared, its first word.
function take(sizes, what,    list, k, part, key) {
    sub(/[ ,].*/, "", what)
    for (k = split(sizes, list, ","); k > 0; k--) {
        split(list[k], part, "=")
        key = what SUBSEP part[1]
        if (part[2] > largest[key]) largest[key] = part[2] + 0
        if (!(key in least) || part[2] < least[key]) least[key] = part[2] + 0
        if (part[2] % 2) odd[key] = 1
    }
}

# "right with dim up to 40, wrong with 5003": a size that tells right and wrong apart by far in all tests that fail. Where another
# size of the last is smaller than it ever was in what is right, that may be the reason as well; or that it is odd for the first time.
function size_note(    i, list, k, part, what, all, common, key, smaller, rest) {
    for (i = 1; i <= n_failed; i++) {
        what = whats[failed[i]]
        sub(/[ ,].*/, "", what)
        all = ""
        for (k = split(sizes_of[failed[i]], list, ","); k > 0; k--) {
            split(list[k], part, "=")
            if (largest[what, part[1]] > 1 && part[2] >= 64 && part[2] > 4 * largest[what, part[1]] && (i == 1 || part[1] in common)) {
                all = all " " part[1]
                note_of[part[1]] = "right with " part[1] " up to " largest[what, part[1]] ", wrong with " part[2]
            }
        }
        delete common
        for (k = split(all, list, " "); k > 0; k--) common[list[k]] = 1
    }
    key = what
    what = smaller = rest = ""
    for (k = split(sizes_of[failed[n_failed]], list, ","); k > 0; k--) {
        split(list[k], part, "=")
        if (part[1] == "numbers") continue
        if (part[1] in common) what = note_of[part[1]] (what == "" ? "" : "; " what)
        if (part[1] in common && part[2] % 2 && !((key, part[1]) in odd)) rest = ", or is the rest behind full blocks left out"
        if ((key, part[1]) in least && part[2] < least[key, part[1]])
            smaller = "; right with " part[1] " " least[key, part[1]] " or more, wrong with " part[2] smaller
    }
    if (what != "") return what (smaller != "" ? smaller : ": does an array inside have a fixed size, or a sum too few digits" rest "?")
}

BEGIN {
    while (races != "" && (getline line < races) > 0) race[substr(line, 1, index(line, ": ") - 1)] = substr(line, index(line, ": ") + 2)
    read_run(one, "one")
    read_run(zeros, "zeros")
    read_run(filled, "filled")
}
/^\[RUN \] / { test = name_of($3); sizes = ""; wrong = 0 }
/^bits: / {
    if (sizes != "") take(sizes, what)
    sizes = $3
    sub(/^bits: [^ ]+ [^ ]+ /, "")
    what = $0
}
/ is wrong in [0-9]+ of [0-9]+ places/ { wrong = 1; compared[test] = 1; unset[test] = / got -?nan/; zero[test] = is_zero($0); lost[test] = is_lost($0) }
/ is wrong in [0-9]+ of [0-9]+ places/ { gradient[test] = is_gradient($0) }
/^ran out of time/ { stopped[test] = 1 }
/^\[----\]  / { hear(test, "many", $0) }
/^\[PASS\] / && sizes != "" { take(sizes, what) }
/^\[FAIL\] / {
    failed[++n_failed] = test
    if (wrong) {
        sizes_of[test] = sizes
        whats[test] = what
    }
}
END {
    larger = size_note()
    for (i = 1; i <= n_failed; i++) {
        test = failed[i]
        it = gradient[test] ? "a gradient" : "an output"
        if (test in stopped) # which tells of a busy machine, too
            note = race[test]
        else if ((test, "one") in passed)
            note = "with one thread it is right: " (test in race ? race[test] : "this is what you get when threads write to the same sum or place, or share out the terms of a sum (reduction)")
        else if ((test, "zeros") in passed)
            note = "where all outputs begin as 0 it is right: " (zero[test] ? \
                "this is what you get when a number that must be 0 is not written" : unset[test] || !(test in compared) ? \
                "this is what you get when something is added (+=) to what must be set (=), or memory is read before it is written" : \
                lost[test] ? "this is what you get when " it " is overwritten (=) instead of added to (+=)" : \
                "what " it " held before is used in a calculation, or scaled; it must " (gradient[test] ? "" : "be set (=), or ") "only be added to (+=)")
        else if (is_of_fresh_memory(test))
            note = "with other numbers in fresh memory the result is another: this is what you get when a number is never written, or a " \
                "variable or an array is read before it is written, outside of its bounds, or after it was freed"
        else if (said[test, "many"] !~ /the numbers say: wrong only /)
            note = larger
        else
            note = ""
        if (note != "") print test ": " note
    }
}

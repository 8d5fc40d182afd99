# The output of a test binary (Criterion's, with --verbose) as one line "test: message" for each test that failed. Below it,
# indented, the last lines that the test itself had printed. One mistake fails many tests: those that name it come first, then
# those that describe the numbers, suspect something or have words of their own, then those that named what other tests speak against,
# then the others; of each, those that compare with numbers of other programs come later; of one kind, as the tests' file has them.
#
#   -v binary=FILE     what ran: a crash in NAME.c, which became NAME, is told with its line
#   -v names="a b c"   the tests in the order of their file
#   -v also="text"     stands behind what fails that no sanitizer reports
#   -v notes=FILE      what further runs say of tests ("test: note", tools/learner/notes.awk): it stands behind the message, and where it names a
#                      mistake in the place of what the numbers alone let suspect
#   -v grouped=1       of tests that fail with the same words, the first in the file
#   -v passing=1       what tests that pass have printed, too; -v full=1: all that tests have printed

# A test that failed, or passed and had printed something.
function report(what, kind,    i, shown) {
    shown = kind == PASSES && !full ? 1 : SHOWN
    reports++
    tests[reports] = test
    whats[reports] = what
    kinds[reports] = kind
    for (i = n > shown ? n - shown + 1 : 1; i <= n; i++) below[reports] = below[reports] "        printed: " printed[i % KEPT] "\n"
}

function names_it(what) { return what ~ /this is what you get when / }
function kind_of(what,    others) {
    others = test ~ /pytorch|golden|hugging_?face/ && test !~ /^stage/
    if (names_it(what)) return 1 + others
    if (is_plain_number(what) || what ~ / is wrong in [0-9]+ of / && what !~ /; (the numbers say: |perhaps |where all outputs )/) return 7 + others
    return others ? 5 : 3
}

# The next report of this kind, and of these words if there are any; 0: no more.
function next_report(kind, what,    i, best) {
    best = 0
    for (i = 1; i <= reports; i++) {
        if (kinds[i] == kind && (what == "" || whats[i] == what) && (!best || line_of[tests[i]] < line_of[tests[best]])) best = i
    }
    return best
}

# What a test suspects is no more than that where the numbers of another test, which lists it too, are not those it would give; of a
# test that passes, only if the same is compared ("dx"). If all that it has is one number of a digit or two, or one word in tokens,
# nothing is left of it: many mistakes give these.
function is_doubtful(when, what) {
    sub(/[ ,].*/, "", what)
    return when in ruled_out || (what " " when) in not_made
}
function is_plain_number(what) {
    return what ~ / is wrong in 1 of 1 places/ && what ~ /: got -?[0-9.][0-9.]?[0-9]?, /
}
function says_little(what) {
    return is_plain_number(what) || what ~ / \([0-9]+ tokens\), expected /
}
function others_say_else(when,    i) {
    for (i = 1; i <= reports; i++) {
        if (kinds[i] != PASSES && !index(whats[i], when)) return 1
    }
    return 0
}
function doubted(what,    when) {
    when = what
    if (crash_of(what) in plain_crash && plain_crash[crash_of(what)] < line_of[test]) sub(/: this is what you get when /, "; perhaps ", what)
    if (sub(/^.*; perhaps /, "", when)) return likelier(what, when)
    if (!sub(/^.*; this is what you get when /, "", when)) return what
    if (!is_doubtful(when, what) && !(is_plain_number(what) && others_say_else(when))) return what
    if (when in ruled_out && says_little(what)) sub(/; this is what you get when .*/, "", what)
    sub(/; this is what you get when /, "; perhaps ", what)
    return what
}

# Where a test crashed. What it means there is doubtful if a test before it, to which it would mean nothing, crashes at that place.
function crash_of(what) {
    return what ~ /^crashed with / && match(what, / in [^ ]+, [^ ]*:[0-9]+/) ? substr(what, RSTART, RLENGTH) : ""
}
function find_plain_crashes(    i, place) {
    for (i = 1; i <= reports; i++) {
        place = crash_of(whats[i])
        if (place == "" || whats[i] ~ /: this is what you get when /) continue
        if (!(place in plain_crash) || line_of[tests[i]] < plain_crash[place]) plain_crash[place] = line_of[tests[i]]
    }
}

# Of several that it suspects ("perhaps A, or B"), those that nothing speaks against; if there are none, those that may be found in a
# special case.
function likelier(what, suspects,    n, k, one, kept, special) {
    n = split(suspects, one, ", or ")
    kept = special = ""
    for (k = 1; k <= n; k++) {
        if (!is_doubtful(one[k], what)) kept = kept (kept == "" ? "" : ", or ") one[k]
        if (!(one[k] in ruled_out)) special = special (special == "" ? "" : ", or ") one[k]
    }
    if (kept == "") kept = special
    if (kept == "" && says_little(what)) sub(/; perhaps .*/, "", what)
    return kept == "" ? what : substr(what, 1, length(what) - length(suspects)) kept
}

END {
    find_plain_crashes()
    for (i = 1; i <= reports; i++) {
        if (kinds[i] == PASSES) continue
        test = tests[i]
        named = names_it(whats[i])
        whats[i] = doubted(whats[i])
        kinds[i] = kind_of(whats[i]) + (named && !names_it(whats[i]))
    }
    for (kind = 1; kind <= PASSES; kind++) {
        while ((i = next_report(kind, ""))) {
            kinds[i] = 0
            printf "%s: %s\n", tests[i], whats[i]
            same = ""
            while (grouped && kind != PASSES && (j = next_report(kind, whats[i]))) {
                kinds[j] = 0
                same = same (same == "" ? "" : ", ") tests[j]
            }
            if (same != "") print "        the same: " same
            printf "%s", below[i]
        }
    }
}

# Whether a line of a stack is in the file under test, of which tests/ has one of the same name; and its path, short.
function is_under_test(line) {
    return index(line, "/" file) && !index(line, ENVIRON["PWD"] "/tests/" file) && line !~ /(^| )tests\//
}
function in_the_tree(path) {
    return index(path, ENVIRON["PWD"] "/") == 1 ? substr(path, length(ENVIRON["PWD"]) + 2) : path
}

# Where in the file under test the program was, from the addresses of its stack: " in FUNCTION, FILE:LINE".
function place_of(stack,    command, function_name, line, found) {
    if (binary == "" || stack == "") return ""
    if (stack in places) return places[stack]
    command = "addr2line -f -e '" binary "'" stack " 2>/dev/null"
    found = ""
    while ((command | getline function_name) > 0 && (command | getline line) > 0) {
        if (found != "" || !is_under_test(line)) continue
        sub(/ \(discriminator.*/, "", line)
        sub(/\._omp_fn\.[0-9]+$/, "", function_name)
        found = " in " function_name ", " in_the_tree(line)
    }
    close(command)
    return places[stack] = found
}

function crash_with_place(text,    end) {
    match(text, /^crashed with [A-Z]+/)
    end = RLENGTH
    return substr(text, 1, end) place_of(stack) substr(text, end + 1)
}

function with_note(what) {
    if (!(test in note)) return what (what ~ /this is what you get when / ? "" : also)
    if (note[test] ~ /this is what you get when /) sub(/; (the numbers say: |this is what you get when |perhaps |wrong only |right only at ).*/, "", what)
    return what also "; " note[test]
}

# How a test ended that no assertion stopped. What it had printed last may say so.
function ending(    last) {
    last = n ? printed[n % KEPT] : ""
    if (sanitizer != "") {
        n = 0
        return sanitizer (!placed && sanitizer ~ /attempting free on address which was not malloc/ ? ": was a pointer that you were given set to other memory?" : "")
    }
    if (last == "ran out of time") { n--; return "ran out of time" place_of(stack) ": an endless loop, or far too much work?" }
    if (/: Timed out/) return "ran out of time: an endless loop, or far too much work?"
    if (last ~ /^crashed with /) { n--; return crash_with_place(last) }
    if (last ~ /^ended the program with /) { n--; return last }
    if (last ~ / is not written yet/) { n--; sub(/: exercise .*/, "", last); return "not written yet, " last }
    if (/: CRASH!/) return "crashed"
    if (n) { n--; return "ended the program, saying: " last }
    return "ended the program"
}

BEGIN {
    PASSES = 10
    GONE = ": this is what you get when a pointer to a local variable is used after its block or function has ended"
    SHOWN = full ? 1000000 : 4
    KEPT = full ? 1000001 : 8
    file = substr(binary, match(binary, /[^\/]*\/[^\/]*$/)) ".c:"
    split(names, name_at, " ")
    for (i in name_at) line_of[name_at[i]] = i + 0
    while (notes != "" && (getline line < notes) > 0) note[substr(line, 1, index(line, ": ") - 1)] = substr(line, index(line, ": ") + 2)
}

/^\[RUN \] / {
    test = $3
    sub(/^.*::/, "", test)
    message = sanitizer = stack = ""
    n = asserted = placed = 0
    next
}
/^\[----\] .*: Assertion Failed/ { asserted++; next }
/^\[----\]  / && asserted == 1 && NF > 1 {
    sub(/^\[----\] +/, "")
    message = message (message == "" ? "" : " ") $0
    next
}
/^\[FAIL\] / { what = message == "" ? ending() : message; if (sanitizer == "") what = with_note(what); report(what, kind_of(what)); n = 0 }
/^\[PASS\] / { if (passing && n && printed[n % KEPT] !~ /^program: /) report("passes", PASSES); n = 0 }
/^\[[-=A-Z ]+\] / { next }

# The sanitizers' reports: the first line, and the first place in the learner's file.
/runtime error: |ERROR: AddressSanitizer/ && sanitizer == "" {
    sanitizer = $0
    sub(/^==[0-9]+==/, "", sanitizer)
    sub(/ on (unknown )?address 0x.*/, "", sanitizer)
    sub(/( on|:) 0x[0-9a-f]+ in thread.*/, "", sanitizer)
    n = 0
}
sanitizer != "" && /^ +#[0-9]+ / && !placed && is_under_test($0) {
    sub(/^ +#[0-9]+ (0x[0-9a-f]+ )?/, "")
    sub(/\._omp_fn\.[0-9]+/, "")
    sub(/ [^ ]*$/, " " in_the_tree($NF))
    sanitizer = sanitizer " " $0 (sanitizer ~ /stack-use-after-(return|scope)/ ? GONE : "")
    placed = 1
}

/^bits: / { next }
/^not: / { ruled_out[substr($0, 6)] = 1; next }
/^right: / { not_made[substr($0, 8)] = 1; next }
/^stack: / { stack = substr($0, 7); next }

{ printed[++n % KEPT] = full ? $0 : substr($0, 1, 160) }

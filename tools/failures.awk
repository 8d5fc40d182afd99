# The output of a test binary (Criterion's, with --verbose) as one line "test: message" for each test that failed. Below it,
# indented, the last lines that the test itself had printed. One mistake fails many tests: those that name it come first, then
# those made for teaching, last those that compare with numbers of other programs; of one kind, as the tests' file has them.
#
#   -v binary=FILE     what ran: a crash in NAME.c, which became NAME, is told with its line
#   -v names="a b c"   the tests in the order of their file
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

function kind_of(what) {
    return (what ~ /this is what you get when / ? 1 : 3) + (test ~ /pytorch|golden|hugging_?face/ && test !~ /^stage/)
}

# The next report of this kind, and of these words if there are any; 0: no more.
function next_report(kind, what,    i, best) {
    best = 0
    for (i = 1; i <= reports; i++) {
        if (kinds[i] == kind && (what == "" || whats[i] == what) && (!best || line_of[tests[i]] < line_of[tests[best]])) best = i
    }
    return best
}

END {
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

# Where in the file under test the program was, from the addresses of its stack: " in FUNCTION, FILE:LINE".
function place_of(stack,    command, function_name, line, found) {
    if (binary == "" || stack == "") return ""
    if (stack in places) return places[stack]
    file = substr(binary, match(binary, /[^\/]*\/[^\/]*$/)) ".c:"
    command = "addr2line -f -e '" binary "'" stack " 2>/dev/null"
    found = ""
    while ((command | getline function_name) > 0 && (command | getline line) > 0) {
        if (found != "" || !index(line, "/" file) || index(line, ENVIRON["PWD"] "/tests/") == 1) continue
        sub(/ \(discriminator.*/, "", line)
        if (index(line, ENVIRON["PWD"] "/") == 1) line = substr(line, length(ENVIRON["PWD"]) + 2)
        sub(/\._omp_fn\.[0-9]+$/, "", function_name)
        found = " in " function_name ", " line
    }
    close(command)
    return places[stack] = found
}

function crash_with_place(text,    end) {
    match(text, /^crashed with [A-Z]+/)
    end = RLENGTH
    return substr(text, 1, end) place_of(stack) substr(text, end + 1)
}

# How a test ended that no assertion stopped. What it had printed last may say so.
function ending(    last) {
    last = n ? printed[n % KEPT] : ""
    if (sanitizer != "") { n = 0; return sanitizer }
    if (last == "ran out of time") { n--; return "ran out of time" place_of(stack) ": an endless loop?" }
    if (/: Timed out/) return "ran out of time: an endless loop?"
    if (last ~ /^crashed with /) { n--; return crash_with_place(last) }
    if (last ~ /^ended the program with /) { n--; return last }
    if (last ~ / is not written yet/) { n--; sub(/: exercise .*/, "", last); return "not written yet, " last }
    if (/: CRASH!/) return "crashed"
    if (n) { n--; return "ended the program, saying: " last }
    return "ended the program"
}

BEGIN {
    PASSES = 5
    SHOWN = full ? 1000000 : 4
    KEPT = full ? 1000001 : 8
    split(names, name_at, " ")
    for (i in name_at) line_of[name_at[i]] = i + 0
}

/^\[RUN \] / {
    test = $3
    sub(/^.*::/, "", test)
    message = sanitizer = stack = ""
    n = asserted = 0
    next
}
/^\[----\] .*: Assertion Failed/ { asserted++; next }
/^\[----\]  / && asserted == 1 && NF > 1 {
    sub(/^\[----\] +/, "")
    message = message (message == "" ? "" : " ") $0
    next
}
/^\[FAIL\] / { what = message == "" ? ending() : message; report(what, kind_of(what)); n = 0 }
/^\[PASS\] / { if (passing && n && printed[n % KEPT] !~ /^program: /) report("passes", PASSES); n = 0 }
/^\[[-=A-Z ]+\] / { next }

# The sanitizers' reports: the first line, and the first place in the learner's file.
/runtime error: |ERROR: (Address|Leak)Sanitizer/ && sanitizer == "" { sanitizer = $0; sub(/^==[0-9]+==/, "", sanitizer); sub(/ on (unknown )?address 0x.*/, "", sanitizer) }
/^ +#[0-9]+ .*exercises\// && sanitizer !~ / in exercises\// { sub(/^.*exercises\//, "exercises/"); sanitizer = sanitizer " in " $0 }

/^stack: / { stack = substr($0, 7); next }

{ printed[++n % KEPT] = full ? $0 : substr($0, 1, 160) }

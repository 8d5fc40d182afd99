# The output of a test binary (Criterion's, with --verbose) as one line "test: message" for each test that failed. Below it,
# indented, the last lines that the test itself had printed. One mistake fails many tests: those that name it come first, then
# those that describe the numbers.
function report(what,    i, text) {
    text = test ": " what "\n"
    for (i = n > SHOWN ? n - SHOWN + 1 : 1; i <= n; i++) text = text "        printed: " printed[i % KEPT] "\n"
    if (what ~ /this is what you get when /) named = named text
    else if (what ~ /; the numbers say: /) described = described text
    else others = others text
}
END { printf "%s%s%s", named, described, others }

# How a test ended that no assertion stopped. What it had printed last may say so.
function ending(    last) {
    last = n ? printed[n % KEPT] : ""
    if (sanitizer != "") { n = 0; return sanitizer }
    if (/: Timed out/) return "ran out of time: an endless loop?"
    if (last ~ /^crashed with |^ended the program with /) { n--; return last }
    if (last ~ / is not written yet/) { n--; sub(/: exercise .*/, "", last); return "not written yet, " last }
    if (/: CRASH!/) return "crashed"
    if (n) { n--; return "ended the program, saying: " last }
    return "ended the program"
}

BEGIN { SHOWN = 4; KEPT = 8 }

/^\[RUN \] / {
    test = $3
    sub(/^.*::/, "", test)
    message = sanitizer = ""
    n = asserted = 0
    next
}
/^\[----\] .*: Assertion Failed/ { asserted++; next }
/^\[----\]  / && asserted == 1 && NF > 1 {
    sub(/^\[----\] +/, "")
    message = message (message == "" ? "" : " ") $0
    next
}
/^\[FAIL\] / { report(message == "" ? ending() : message) }
/^\[[-=A-Z ]+\] / { next }

# The sanitizers' reports: the first line, and the first place in the learner's file.
/runtime error: |ERROR: (Address|Leak)Sanitizer/ && sanitizer == "" { sanitizer = $0; sub(/^==[0-9]+==/, "", sanitizer); sub(/ on (unknown )?address 0x.*/, "", sanitizer) }
/^ +#[0-9]+ .*exercises\// && sanitizer !~ / in exercises\// { sub(/^.*exercises\//, "exercises/"); sanitizer = sanitizer " in " $0 }

{ printed[++n % KEPT] = substr($0, 1, 160) }

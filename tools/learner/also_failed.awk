# Lets tests that passed fail: `said` is a file of "test: message" lines, and what is read the output of the tests or, with tap=1,
# their results. Both are as if the test itself had found it.
BEGIN {
    while ((getline line < said) > 0) {
        test = line
        sub(/: .*/, "", test)
        message[test] = substr(line, length(test) + 3)
    }
}
function name_of(text) { sub(/^[^:]*::/, "", text); sub(/[: ].*$/, "", text); return text }
tap && /^ok - / && name_of($0) in message { $0 = "not " $0 }
!tap && /^\[PASS\] / && name_of($0) in message {
    print "[----] again: Assertion Failed\n[----] \n[----]   " message[name_of($0)]
    sub(/PASS/, "FAIL")
}
{ print }

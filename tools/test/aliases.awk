# aliases.awk, behind prototypes.awk: reads solutions (reads=1), headers (reads=2), and files that
# call (reads=3); prints each call that aliases.sh does not allow, and fails if there is one.

function without_comments(text) {
    gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", text)
    gsub(/'([^'\\]|\\.)'/, "0", text)
    gsub(/"([^"\\]|\\.)*"/, "0", text)
    return text
}

function says_may_be(name, a, b) {
    return says[name] ~ ("(^|[ .;,])" a " may be " b "[.;,]")
}

function check_call(file, name, text,    given, n, i, k, a, b) {
    n_calls++
    n = arguments(text, given)
    for (i = 1; i <= n; i++)
        for (k = i + 1; k <= n; k++) {
            a = parameter[name, i]
            b = parameter[name, k]
            if (!kind[name, i] || !kind[name, k] || given[i] != given[k] || given[i] == "NULL" ||
                says_may_be(name, a, b) || says_may_be(name, b, a))
                continue
            printf "%s: %s has %s as %s and as %s: its header does not say that %s may be %s\n", \
                file, name, given[i], a, b, a, b
            failed = 1
        }
}

function check_calls(file, text,    name) {
    text = without_comments(text)
    while (match(text, /[a-z0-9_]+\(/)) {
        name = substr(text, RSTART, RLENGTH - 1)
        text = substr(text, RSTART + RLENGTH - 1)
        if (name in prototype) check_call(file, name, text)
    }
}

function end_file() {
    if (pass == 2) read_header(text)
    if (pass == 3) check_calls(file, text)
    text = ""
}

FNR == 1 { end_file(); file = FILENAME; pass = reads }
{ text = text "\n" $0 }
pass == 1 { solution_line($0) }
END {
    end_file()
    if (!n_calls) print "aliases.awk: no call of an exercise's function was found"
    exit failed || !n_calls
}

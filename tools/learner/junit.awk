# One exercise's result as JUnit XML. Standard input: the names of its tests; `tap`: what ran; the environment's `said`: the
# failures ("test: message" and indented lines below), or for a file that did not compile what the compiler said, and `why`
# what is the matter with tests that have no line of their own.
function escaped(text) {
    gsub(/[^\n\t -~]/, "?", text) # bytes that are no XML, or half a character
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/"/, "\\&quot;", text)
    return text
}

BEGIN {
    while ((getline line < tap) > 0) {
        if (line !~ /^(not )?ok - /) continue
        name = line
        sub(/^[^:]*::/, "", name)
        sub(/ .*$/, "", name)
        ok[name] = line ~ /^ok /
        seconds[name] = line ~ /\([0-9.]+s\)$/ ? substr(line, match(line, /[0-9.]+s\)$/), RLENGTH - 2) : 0
    }
    n = split(ENVIRON["said"], line_said, "\n")
    for (i = 1; i <= n; i++) {
        if (match(line_said[i], /^[a-z0-9_]+: /)) {
            name = substr(line_said[i], 1, RLENGTH - 2)
            message[name] = substr(line_said[i], RLENGTH + 1)
        } else details[name] = details[name] line_said[i] "\n"
    }
}

{
    names[NR] = $0
    total += seconds[$0]
    if (!ok[$0]) failures++
}

END {
    suite = exercise
    sub(/-[^\/]*/, "", suite)
    counts = sprintf("tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\" time=\"%.2f\"", NR, failures, total)
    print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
    print "<testsuites " counts ">\n  <testsuite name=\"" suite "\" " counts ">"
    class = exercise
    sub(/\//, ".", class)
    for (i = 1; i <= NR; i++) {
        name = names[i]
        printf "    <testcase classname=\"%s\" name=\"%s\" time=\"%.2f\"", class, name, seconds[name]
        if (ok[name]) { print "/>"; continue }
        text = name in message ? message[name] : ENVIRON["why"]
        detail = name in message ? details[name] : ENVIRON["said"]
        print ">\n      <failure message=\"" escaped(text) "\">" escaped(detail) "</failure>\n    </testcase>"
    }
    print "  </testsuite>\n</testsuites>"
}

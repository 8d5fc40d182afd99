#!/bin/sh
# mistakes.sh: each known wrong solution, test and experiment that tests/mistakes.txt names exists.
exec awk -F ' [|] ' '
# Is there a line of the file that fits the pattern?
function has(file, pattern,    line, found) {
    while ((getline line < file) > 0) if (line ~ pattern) found = 1
    close(file)
    return found
}
# The folder of tests/ whose number is NN.
function folder(number,    i) {
    for (i = 1; i < ARGC - 1; i++) if (index(folders[i], "tests/" number "-") == 1) return folders[i]
    return ""
}
function exists(name,    part, n) {
    n = split(name, part, /[\/:]/)
    if (name ~ /:/) return has("tests/" part[1] "/" part[2] ".c", "^Test\\(.*, " part[3] "[,)]")
    if (n == 3) return has(folder(part[1]) "/" part[2] ".mutants", "^" part[3] " [|] ")
    return has("chapters/" part[1] "/experiments/" part[2] ".c", "claim\\(")
}
BEGIN {
    for (i = 1; i < ARGC - 1; i++) { folders[i] = ARGV[i]; ARGV[i] = "" }
}
/^#/ || /^$/ { next }
NF != 4 || $1 != ++lines { print FILENAME ":" FNR ": expected line " lines ", of four parts"; bad = 1 }
{
    n = split($4, names, " ")
    for (i = 1; i <= n; i++) if (!exists(names[i])) { print "mistake " $1 ": no " names[i]; bad = 1 }
}
END { exit bad }
' tests/[0-9]* tests/mistakes.txt

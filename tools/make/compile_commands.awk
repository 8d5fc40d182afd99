# Makes compile_commands.json, which clangd reads, of the commands that make would run to compile
# `files` files.
BEGIN {
    printf "["
    directory = ENVIRON["DIRECTORY"]
    gsub(/[\\"]/, "\\\\&", directory)
}
/ -c [^ ]*\.c -o / {
    sub(/^tools\/learner\/as-learner\.sh .* -- /, "") # clangd asks the first word, the compiler
    match($0, / -c [^ ]*/)
    file = substr($0, RSTART + 4, RLENGTH - 4)
    gsub(/[\\"]/, "\\\\&")
    printf "%s\n{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"%s\"}", n++ ? "," : "", directory, file, $0
}
END {
    print "\n]"
    if (n != files) { print "compile_commands: found " n + 0 " commands of " files > "/dev/stderr"; exit 1 }
}

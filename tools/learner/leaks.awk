# From LeakSanitizer's reports behind each test (CHECK_LEAKS): a line "test: message" for memory that the file under test has
# taken, itself or through common/, and nobody has given back. What a test leaves behind of its own is its own business, and so is
# what is taken from its tape (arena.c).
#
#   -v file=NN-name/NAME.c     the file under test
/^\[RUN \] / {
    test = $3
    sub(/^.*::/, "", test)
}
/False leaks are possible/ { told[test] = 1 }
/^(Direct|Indirect) leak of / { direct = $1 == "Direct" }
/^ +#[1-9][0-9]* / && $NF ~ /(^|\/)common\/tensor\/arena\.c:/ { direct = 0 }
/^ +#[1-9][0-9]* / && direct && $NF !~ /(^|\/)common\// {
    if (index($NF, "/" file ":") && !index("/" $NF, "/tests/" file) && !(test in told)) {
        told[test] = 1
        printf "%s: memory is not given back: this is what you get when what %s takes is not freed\n", test, line_of($NF)
    }
    direct = 0
}
function line_of(path) {
    return index(path, ENVIRON["PWD"] "/") == 1 ? substr(path, length(ENVIRON["PWD"]) + 2) : path
}

# From the output of the tests on one number of threads (first file, with CHECK_BITS) and on another: "test: what has other bytes",
# a line for each test of which some numbers have. THREADS says "with 3 threads than with 1".
/^\[RUN \] / {
    test = $3
    sub(/^.*::/, "", test)
    n = 0
}
/^bits: / {
    sum = $2
    sub(/^bits: [^ ]+ [^ ]+ /, "")
    n++
    if (NR == FNR) sums[test, n] = sum
    else if ((test, n) in sums && sums[test, n] != sum && !(test in told)) {
        told[test] = 1
        printf "%s: %s has other bytes %s: this is what you get when threads write to the same sum, or share its terms out by their number\n", test, $0, threads
    }
}

# The part of exercise.sh and next.sh for what the last check said of an exercise: it stays in
# build/check, with the checksum of the learner's file and of the tests, so that make next and make
# progress have an answer without building anything.
verdict_of() { echo "build/check/$1.verdict"; }
sum_of() { cat "$LEARNER/$1.c" "tests/$1.c" 2>/dev/null | cksum; }
keep_verdict() { # keep_verdict NN-name/exercise STATE PASSED ALL
    [ -z "${STAGE:-}${WRONG:-}" ] || return 0
    kept=$(verdict_of "$1")
    mkdir -p "${kept%/*}" && echo "$2 $3 $4 $(sum_of "$1")" >"$kept.$$" && mv "$kept.$$" "$kept"
}

# known_verdict NN-name/exercise: what is kept, "STATE PASSED ALL", if the files are as they were.
known_verdict() {
    [ -f "$(verdict_of "$1")" ] && read -r state p n sum <"$(verdict_of "$1")" &&
        [ "$sum" = "$(sum_of "$1")" ] && echo "$state $p $n"
}

#!/bin/sh
# mutate.sh EXERCISE...: makes wrong solutions of each (tools/test/mutate.awk) and lists those that
# survive: a test is missing. Called by make mutate with B, and what lib.sh needs. EVERY=3: every
# third of them.
#
# One that does not compile, or has the code of the solution, is no mistake; tests/mutated.txt says
# which are as right, and why. One that passes the tests is checked as a learner's file is, with
# sanitizers and other numbers of threads.
. tools/make/lib.sh
W=build/mutate
# an endless loop is stopped by its computing; what waits for itself, by this
export RUN="timeout 200"

# From standard input: no object knows the name of its file. It leaves what link_object reads.
compile() { # compile EXERCISE OBJECT
    { read -r compiler && read -r libraries; } <"$B/rest/$1.link"
    $compiler $ALL_FLAGS -g0 -O1 -w $INCLUDES $NO_EXIT -x c -c - -o "$2" 2>/dev/null
}

# Whether tests/mutated.txt says why this one is as right: "exercise | kind | part of the line as it
# is listed | why"; * is any.
is_as_right() { # is_as_right EXERCISE KIND LINE
    KIND=$2 LINE=$3 awk -F ' [|] ' -v exercise="$1" '
        ($1 == exercise || $1 == "*") && ($2 == "*" || $2 == ENVIRON["KIND"]) &&
            index(ENVIRON["LINE"], $3) { found = 1 }
        END { exit !found }' tests/mutated.txt
}

is_caught() { # is_caught EXERCISE FOLDER
    link_object "$1" "$2/$1" && limited_tests "$2/$1"
    [ "$(failed "$2/$1")" = 0 ] && grep -q '^1\.\.[1-9]' "$2/$1.tap" || return 0
    ! LEARNER=$2 MAKEFLAGS='' make -s "check-${1%%-*}" EX="${1#*/}" >/dev/null 2>&1
}

# one EXERCISE NUMBER: prints what becomes of it.
one() {
    here=$W/$2/$1
    mkdir -p "${here%/*}"
    sed -n "$2p" "$W/$1.wrong" | while IFS='	' read -r at kind name text; do
        line="$name: $(echo "$text" | sed 's/^ *//')"
        WRONG=$text awk -v at="$at" '{ print NR == at ? ENVIRON["WRONG"] : $0 }' \
            "$W/$1.statements" >"$here.c"
        if ! compile "$1" "$here.o" <"$here.c" || cmp -s "$W/$1.o" "$here.o"; then
            echo "no mistake"
        elif is_as_right "$1" "$kind" "$line"; then
            echo "as right"
        elif is_caught "$1" "$W/$2"; then
            echo "caught"
        else
            echo "survives: $1 | $kind | $line"
        fi
    done
    rm -rf "${W:?}/$2"
}

exercise() {
    mkdir -p "$W/${1%/*}"
    awk -v statements="$W/$1.statements" -f tools/test/mutate.awk "solutions/$1.c" |
        awk -v every="${EVERY:-1}" 'NR % every == 0' >"$W/$1.wrong"
    compile "$1" "$W/$1.o" <"$W/$1.statements" || exit 1
    seq "$(wc -l <"$W/$1.wrong")" | xargs -r -P "$JOBS" -n 1 tools/test/mutate.sh --one "$1" \
        >"$W/$1.results"
    printf '%s: %d caught, %d as right\n' "$(short_name "$1")" \
        "$(grep -c '^caught' "$W/$1.results")" "$(grep -c '^as right' "$W/$1.results")"
    sed -n '/^survives/p' "$W/$1.results"
}

if [ "${1:-}" = --one ]; then
    one "$2" "$3"
    exit
fi
if [ $# = 0 ]; then
    echo "make: EX=${EX:-}: no such exercise; there are:" \
        "$(exercises_of | sed 's|.*/||' | tr '\n' ' ')" >&2
    exit 2
fi
for e in "$@"; do exercise "$e"; done

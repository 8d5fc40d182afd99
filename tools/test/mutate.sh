#!/bin/sh
# mutate.sh EXERCISE...: makes wrong solutions of each (tools/test/mutate.awk) and says what the
# exercise's tests say of them. Called by make mutate with B, and what lib.sh needs. What survives
# is listed, and the exercise's line in tests/mutated.csv written anew, one exercise after the
# other: what was interrupted goes on with the first whose line is older than its tests. With
# EVERY=3, every third, and no line is written. With AGAIN=1 only those that survived the last time:
# enough where tests were added and the solution is as it was.
#
# A wrong solution that does not compile, or whose code is that of the solution or of one before it,
# is not run. The tests end with the first message that names the mistake. What they come to:
#   named      a message says what one gets these numbers from
#   told       the test has a sentence for it
#   located    the message says which numbers are wrong, and no more
#   ended      the program crashed, or did not end; what does not end in time is tried again, alone
#              and for longer
#   sanitized  what passes is stopped by a sanitizer: it reads or writes one too many, say, or
#              (ThreadSanitizer) two threads write to one variable
#   as right   it survives, and tests/mutated.txt says why it should
#   survived   a test is missing
. tools/make/lib.sh
# an endless loop is stopped by its computing; what waits for itself, by this
export RUN="timeout 200"
# Seconds of computing after which a wrong solution may be in an endless loop, and is: the slowest
# test of a right one needs half a second, but several run at a time.
MOST_SECONDS=2 SURELY_ENDLESS=6
VERDICTS="named told located ended sanitized as-right survived"
COMPILE="$ALL_FLAGS -g0 -O2 -w $INCLUDES $NO_EXIT"
SANITIZERS="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
export ASAN_OPTIONS=detect_leaks=0

# build EXERCISE NUMBER: the wrong solution of that number, 0 for the solution, to NUMBER.o.
build() {
    W=build/mutate/$1
    awk -F '\t' -v n="$2" 'FNR == 1 { file++ }
        file == 1 && FNR == n { at = $1; wrong = $4 }
        file == 2 { print FNR == at ? wrong : $0 }' "$W/wrong.tsv" "$W/statements" >"$W/$2.c"
    # From standard input: no object knows the name of its file.
    { read -r compiler && read -r _; } <"$B/rest/$1.link"
    $compiler $COMPILE -x c -c - -o "$W/$2.o" <"$W/$2.c" 2>/dev/null
}

# What a message says that names the mistake.
NAMES='this is what you get when |the numbers say: '

# run EXERCISE NUMBER: prints NUMBER and the verdict.
run() {
    W=build/mutate/$1
    binary=$W/$2
    { read -r compiler && read -r libraries; } <"$B/rest/$1.link"
    verdict=uncompiled
    if link_and_run "$1" "" && verdict=$(verdict) && [ "$verdict" = survived ]; then
        $compiler $COMPILE -O1 $SANITIZERS -c "$binary.c" -o "$binary.o" 2>/dev/null
        link_and_run "$1" "$SANITIZERS" && [ "$(verdict)" != survived ] && verdict=sanitized
    fi
    if [ "$verdict" = survived ]; then
        (B=$(cat "$W/raced") && find_races "$binary.c" "$1" "$binary-races") 2>/dev/null
        ! grep -qsa "$RACE" "$binary-races.out" || verdict=sanitized
        rm -f "$binary"-races*
    fi
    echo "$2 $verdict"
    rm -f "$binary" "$binary.o" "$binary.tap"
}

# The sanitizers need more addresses than any limit, and their time is no measure.
link_and_run() { # link_and_run EXERCISE SANITIZERS
    $compiler "$W/rest.o" "$binary.o" "$B/tests/harness/test_harness.o" $libraries $2 -o "$binary" \
        2>/dev/null || return
    ([ -n "$2" ] || { ulimit -v 8000000 && ulimit -t "$MOST_SECONDS"; } && ulimit -f 40000 &&
        run_until_named) 2>/dev/null
    return 0
}

# As run_lite; a harness that nobody reads any more ends.
run_until_named() {
    $RUN "$binary" --fork --tap="$binary.tap" 2>&1 </dev/null |
        awk -v names="$NAMES" '{ print } /^\[----\]   / && $0 ~ names { exit }' >"$binary.out"
}

verdict() {
    grep -a '^\[----\]   ' "$binary.out" >"$binary.said"
    if grep -qaE "$NAMES" "$binary.said" ||
        grep -qa '^crashed with [A-Z]*: this is' "$binary.out"; then
        echo named
    elif grep -qavE ' is wrong in [0-9]+ of [0-9]+ places; ' "$binary.said"; then
        echo told
    elif [ -s "$binary.said" ]; then
        echo located
    elif is_out_of_time; then
        echo endless
    elif grep -qa '^not ok ' "$binary.tap" || ! grep -qa '^1\.\.[1-9]' "$binary.tap"; then
        echo ended
    else
        echo survived
    fi
}

# A test was stopped (SIGXCPU, SIGKILL), or all of it by $RUN.
is_out_of_time() {
    grep -qaE 'ended with wait status 0x(9|e|18|98)$' "$binary.out" ||
        ! grep -qa '^1\.\.[1-9]' "$binary.tap"
}

# Whether tests/mutated.txt says why this one is as right: "exercise | kind | part of the line as it
# is listed | why"; * is any.
is_as_right() { # is_as_right EXERCISE KIND LINE
    KIND=$2 LINE=$3 awk -F ' [|] ' -v exercise="$1" '
        ($1 == exercise || $1 == "*") && ($2 == "*" || $2 == ENVIRON["KIND"]) &&
            index(ENVIRON["LINE"], $3) { found = 1 }
        END { exit !found }' tests/mutated.txt
}

# What was made of an exercise is newer than its tests, its solution and this script.
is_done() {
    for needed in "$B/rest/$1.o" "solutions/$1.c" tools/test/mutate.sh tools/test/mutate.awk; do
        [ "build/mutate/$1/results" -nt "$needed" ] || return 1
    done
    [ -z "${EVERY:-}" ] && [ -z "${EX:-}" ]
}

in_parallel() { xargs -r -P "$JOBS" -n 1 tools/test/mutate.sh "$1" "$2"; }

wrong_solutions() { # wrong_solutions EXERCISE STATEMENTS
    awk -v statements="$2" -f tools/test/mutate.awk "solutions/$1.c" |
        awk -v every="${EVERY:-1}" 'NR % every == 0'
}

# Those that survived the last time; false where the solution was another one.
survivors() {
    [ -f "$W/results" ] && wrong_solutions "$1" "$W/statements.now" | cmp -s - "$W/wrong.tsv" &&
        sed -n 's/ survived$//p' "$W/results" >"$W/left"
}

take_anew() {
    awk 'FILENAME ~ /anew$/ { anew[$1] = $2; next } { print $1, $1 in anew ? anew[$1] : $2 }' \
        "$W/anew" "$W/results" >"$W/results.new" &&
        mv "$W/results.new" "$W/results"
}

# All but the exercise for ThreadSanitizer (find_races), where the compiler has it.
build_raced() {
    raced=$(MAKEFLAGS='' make -s SANITIZE=thread print-build)
    MAKEFLAGS='' make -s -j"$JOBS" SANITIZE=thread "$raced/rest/$1.o" "$raced/rest/$1.link" \
        "$raced"/tests/harness/test_harness.o \
        "$raced/tests/harness/plain_threads.o" 2>/dev/null
    echo "$raced" >"$W/raced"
}

# One by one: those that were slow for once are judged by what they say.
endless_again() {
    for n in $(sed -n 's/ endless$//p' "$W/results"); do
        build "$1" "$n" && (MOST_SECONDS=$SURELY_ENDLESS && run "$1" "$n")
    done >"$W/anew"
    take_anew
}

again() {
    strip -g -o "$W/rest.o" "$B/rest/$1.o"
    build_raced "$1"
    in_parallel --build "$1" <"$W/left"
    in_parallel --run "$1" <"$W/left" >"$W/anew"
    take_anew
    endless_again "$1"
    rm -f "$W"/*.o
}

exercise() {
    W=build/mutate/$1
    if [ -n "${AGAIN:-}" ] && survivors "$1"; then again "$1" && return; fi
    rm -rf "$W" && mkdir -p "$W"
    wrong_solutions "$1" "$W/statements" >"$W/wrong.tsv"
    strip -g -o "$W/rest.o" "$B/rest/$1.o" # what is not copied each time is half of it
    build_raced "$1"
    build "$1" 0 && cp "$W/0.o" "$W/right.o"
    [ "$(run "$1" 0)" = "0 survived" ] ||
        { echo "make: the solution of $1 fails: $(tail -n 2 "$W/0.out")" >&2; exit 1; }
    seq "$(wc -l <"$W/wrong.tsv")" | in_parallel --build "$1"
    # Of those with the same code, the first.
    (cd "$W" && cksum right.o [1-9]*.o) | sort -k 1,2 -s | sort -k 3,3 -s -V |
        awk -v all="$(wc -l <"$W/wrong.tsv")" '
        { sub(/\.o$/, "", $3) }
        $3 == "right" { right = $1 " " $2; next }
        { code[$3] = $1 " " $2 }
        END {
            for (i = 1; i <= all; i++)
                print i, !(i in code) ? "uncompiled" : code[i] == right ? "same" : \
                    seen[code[i]]++ ? "twin" : "run"
        }' >"$W/state"
    { grep -v ' run$' "$W/state"; sed -n 's/ run$//p' "$W/state" | in_parallel --run "$1"; } |
        sort -n >"$W/results.new" &&
        mv "$W/results.new" "$W/results"
    endless_again "$1"
    rm -f "$W"/*.o
}

# Lists what survives and is not as right.
judge() {
    W=build/mutate/$1
    : >"$W/verdicts"
    paste "$W/results" "$W/wrong.tsv" | while IFS='	' read -r result at kind name text; do
        verdict=${result#* }
        [ "$verdict" != endless ] || verdict=ended
        if [ "$verdict" = survived ]; then
            line="$name: $(echo "$text" | sed 's/^ *//')"
            if is_as_right "$1" "$kind" "$line"; then verdict=as-right; else
                printf '  %s | %s | %s\n' "$1" "$kind" "$line"
            fi
        fi
        echo "$verdict" >>"$W/verdicts"
    done
}

# An exercise's line of the table: what became of its wrong solutions; those with a code of their
# own are `different`.
row() {
    count() { grep -c "^$1\$" "$W/verdicts"; }
    W=build/mutate/$1
    uncompiled=$(count uncompiled) same=$(($(count same) + $(count twin))) \
        all=$(wc -l <"$W/verdicts")
    printf '%s,%d,%d,%d,%d' "$(short_name "$1")" "$all" "$uncompiled" "$same" \
        $((all - uncompiled - same))
    for v in $VERDICTS; do printf ',%d' "$(count $v)"; done
    echo
}

# The table with this line in the place of the exercise's old one.
replace_row() {
    row "$1" >build/mutate/row
    {
        echo "exercise,wrong,uncompiled,same,different,$(echo $VERDICTS | tr -- '- ' '_,')"
        for e in $(exercises_of); do
            if [ "$e" = "$1" ]; then cat build/mutate/row; else
                grep -s "^$(short_name "$e")," tests/mutated.csv
            fi
        done
    } >build/mutate/table.csv
    cp build/mutate/table.csv tests/mutated.csv
}

case ${1:-} in
--build) build "$2" "$3"; exit 0 ;;
--run) run "$2" "$3"; exit ;;
esac
if [ $# = 0 ]; then
    echo "make: EX=${EX:-}: no such exercise; there are:" \
        "$(exercises_of | sed 's|.*/||' | tr '\n' ' ')" >&2
    exit 2
fi
for e in "$@"; do
    is_done "$e" || exercise "$e"
    judge "$e"
    [ -n "${EVERY:-}" ] || replace_row "$e"
done
tr , '\t' <tests/mutated.csv
awk -F , 'NR > 1 { all += $5; right += $11; survived += $12; named += $6; located += $7 + $8 }
    END {
        printf "%d wrong solutions of different code, %d of them as right: ", all, right
        printf "%d caught (%d named, %d told or located), ", all - right - survived, named, located
        printf "%d survived\n", survived
    }' tests/mutated.csv

#!/bin/sh
# The learner's commands: check, progress, hint, diff, reset. Called by make with B, CC, ALL_FLAGS, INCLUDES, LDLIBS.
#
#   exercise.sh check|hint|diff|reset CHAPTER [EXERCISE]      exercise.sh progress
. tools/lib.sh
command=$1 chapter=${2:-} name=${3:-}

if [ -n "$name" ] && [ ! -f "solutions/$chapter/$name.c" ]; then
    echo "make: EX=$name: no such exercise in $chapter; there are: $(exercises_of "$chapter" | sed 's|.*/||' | tr '\n' ' ')" >&2
    exit 2
fi

# check_one NN-name/exercise: builds and runs the learner's file; prints "state passed failed".
check_one() {
    binary=$B/check/$1
    if ! link_variant "exercises/$1.c" "$1" "$binary"; then
        echo "broken 0 0"
        return
    fi
    run_tests "$binary"
    p=$(passed "$binary") f=$(failed "$binary")
    if [ "$p" = 0 ] && grep -q "exercise $(short_name "$1") is not written yet" "$binary.out"; then
        echo "unattempted $p $f"
    elif [ "$f" = 0 ] && [ "$p" -gt 0 ]; then
        echo "right $p $f"
    else
        echo "wrong $p $f"
    fi
}

bar() { # bar PASSED TOTAL
    awk -v p="$1" -v n="$2" 'BEGIN { k = n ? int(20 * p / n) : 0
        for (i = 1; i <= 20; i++) printf "%s", i <= k ? "#" : "."; print "" }'
}

check() {
    results=$(mktemp)
    for e in ${name:+"$chapter/$name"} $([ -n "$name" ] || exercises_of "$chapter"); do
        echo "$e $(check_one "$e")" >>"$results"
    done
    number=${chapter%%-*}
    for wanted in unattempted broken wrong right; do
        grep " $wanted " "$results" | while read -r e state p f; do
            file=exercises/$e.c n=$((p + f))
            case $state in
            unattempted) echo "not started  $e ($n tests): edit $file; hint: make hint-$number EX=${e#*/}" ;;
            broken)
                echo "no binary    $e: $file does not compile"
                grep -E 'error|undefined|multiple' "$B/check/$e.log" | head -n 5 | sed 's/^/    /'
                ;;
            wrong)
                echo "wrong        $e: $p of $n tests pass"
                failures "$B/check/$e" | sed 's/^/    /'
                grep "is not written yet" "$B/check/$e.out" | sort -u | sed 's/^/    /'
                grep -E 'runtime error|AddressSanitizer' "$B/check/$e.out" | sort -u | head -n 3 | sed 's/^/    /'
                ;;
            right) echo "right        $e: all $n tests pass; compare: make diff-$number EX=${e#*/}" ;;
            esac
        done
    done
    all=$(wc -l <"$results") right=$(grep -c ' right ' "$results")
    rm -f "$results"
    echo "$right of $((all)) exercises pass"
    [ "$right" = "$((all))" ]
}

progress() {
    total_p=0 total_n=0
    for e in $(exercises_of); do
        set -- $(check_one "$e")
        n=$(($2 + $3))
        [ "$1" = broken ] && n=$(grep -c '^Test(' "tests/$e.c")
        total_p=$((total_p + $2)) total_n=$((total_n + n))
        printf '%-34s %s %3d/%-3d %s\n' "$(short_name "$e")" "$(bar "$2" "$n")" "$2" "$n" \
            "$(case $1 in unattempted) echo 'not started' ;; broken) echo 'does not compile' ;; *) echo "$1" ;; esac)"
    done
    printf '%-34s %s %3d/%-3d tests\n' all "$(bar "$total_p" "$total_n")" "$total_p" "$total_n"
}

need_name() {
    [ -n "$name" ] && return
    echo "make: say which exercise: EX=$(exercises_of "$chapter" | sed 's|.*/||' | tr '\n' '|' | sed 's/|$//; s/|/ or EX=/g')" >&2
    exit 2
}

# Hints come one more each time; the count is kept in build/ and starts over with `make clean`.
hint() {
    need_name
    hints=exercises/$chapter/$name.hints seen=build/hints-$chapter-$name
    n=$(($(cat "$seen" 2>/dev/null || echo 0) + 1))
    total=$(grep -c . "$hints")
    [ "$n" -gt "$total" ] && n=$total
    mkdir -p build && echo "$n" >"$seen"
    grep . "$hints" | head -n "$n" | awk -v total="$total" '{ print "hint " NR " of " total ": " $0 }' | fold -s -w 110
    [ "$n" -lt "$total" ] && echo "(for the next hint, ask again)"
    return 0
}

diff_with_solution() {
    need_name
    if [ -z "${FORCE:-}" ]; then
        set -- $(check_one "$chapter/$name")
        if [ "$1" != right ]; then
            echo "make: your $name does not pass yet ($2 of $(($2 + $3)) tests); FORCE=1 shows the solution all the same" >&2
            exit 1
        fi
    fi
    diff -u "exercises/$chapter/$name.c" "solutions/$chapter/$name.c" && echo "no difference"
    return 0
}

reset() {
    need_name
    file=exercises/$chapter/$name.c
    if [ -z "${FORCE:-}" ]; then
        printf 'Throw away your %s and go back to the stub? [y/N] ' "$file"
        read -r answer || answer=
        case $answer in y | Y | yes) ;; *) echo "nothing changed"; exit 1 ;; esac
    fi
    pristine_stub "$file" >"$file.stub" && grep -q EXERCISE_TODO "$file.stub" || {
        rm -f "$file.stub"
        echo "make: no stub of $file found in git's history; nothing changed" >&2
        exit 1
    }
    cp "$file" "$file.old" && mv "$file.stub" "$file" && echo "$file is the stub again; your version is $file.old"
}

case $command in
check) check ;;
progress) progress ;;
hint) hint ;;
diff) diff_with_solution ;;
reset) reset ;;
esac

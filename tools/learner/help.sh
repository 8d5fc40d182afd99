# The part of exercise.sh for make hint, diff and reset.
need_name() {
    [ -n "$name" ] && return
    echo "make: say which exercise: EX=$(exercises_of "$chapter" | sed 's|.*/||' | tr '\n' '|' |
        sed 's/|$//; s/|/ or EX=/g')" >&2
    exit 2
}

# Hints come one more each time; the count is kept in build/ and starts over with `make clean`.
hint() {
    need_name
    hints=exercises/$chapter/$name.hints seen=build/hints-$chapter-$(echo "$name" | tr / -)
    n=$(($(cat "$seen" 2>/dev/null || echo 0) + 1))
    total=$(grep -c . "$hints")
    [ "$n" -gt "$total" ] && n=$total
    expect_writable build && echo "$n" >"$seen"
    i=0
    grep . "$hints" | head -n "$n" | while IFS= read -r line; do
        i=$((i + 1)) && echo "hint $i of $total: $line"
    done | fold -s -w "$(at_most "$columns" 110)"
    if [ "$n" -lt "$total" ]; then
        echo "(for the next hint, ask again)"
    elif [ "${name#problems/}" != "$name" ]; then
        echo "(that was the last; one answer of many is solutions/$chapter/$name.c)"
    else
        echo "(that was the last; make diff-${chapter%%-*} EX=$name FORCE=1 shows the solution)"
    fi
}

diff_with_solution() {
    need_name
    if [ -z "${FORCE:-}" ]; then
        make_run
        set -- $(check_one "$chapter/$name")
        if [ "$1" != right ]; then
            echo "make: your $name does not pass yet ($2 of $3 tests); FORCE=1 shows the" \
                "solution all the same" >&2
            exit 1
        fi
    fi
    set -- "$LEARNER/$chapter/$name.c" "solutions/$chapter/$name.c"
    if cmp -s "$1" "$2"; then
        echo "no difference"
    elif [ -t 1 ] && [ "$columns" -ge 160 ]; then
        diff -y -t -W "$columns" "$1" "$2"
    else
        diff -u "$1" "$2"
    fi
    return 0
}

reset() {
    need_name
    file=$LEARNER/$chapter/$name.c
    expect_writable "${file%/*}"
    stub=tests/$chapter/$name.stub
    if cmp -s "$stub" "$file"; then
        echo "$file is the stub already; nothing changed"
    elif [ ! -f "$file" ]; then
        cat "$stub" >"$file" && echo "$file was missing; it is the stub now"
    elif agreed "Throw away your $file and go back to the stub? [y/N] "; then
        keep_old "$file" && cat "$stub" >"$file" &&
            echo "$file is the stub again; your version is $old"
        status=$?
    else
        echo "nothing changed"
        status=1
    fi
    exit ${status:-0}
}

agreed() {
    [ -n "${FORCE:-}" ] && return
    printf '%s' "$1"
    read -r answer && case $answer in y | Y | yes) true ;; *) false ;; esac
}

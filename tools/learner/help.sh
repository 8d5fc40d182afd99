# The part of exercise.sh for make hint, diff and reset.
need_name() {
    [ -n "$name" ] && return
    echo "make: say which exercise: EX=$(exercises_of "$chapter" | sed 's|.*/||' | tr '\n' '|' |
        sed 's/|$//; s/|/ or EX=/g')" | in_columns >&2
    exit 2
}

# Hints come one more each time, of the exercise that is next where none is named; the count is kept
# in build/ and starts over with `make clean`.
hint() {
    [ -n "$name" ] || {
        name=$(tools/learner/next.sh "$chapter" | sed -n 's|^next: [^/]*/\([^,]*\),.*|\1|p')
        echo "${name:+of EX=$name, which is next:}"
    }
    need_name
    hints=exercises/$chapter/$name.hints seen=build/hints-$chapter-$(echo "$name" | tr / -)
    n=$(($(cat "$seen" 2>/dev/null || echo 0) + 1))
    total=$(grep -c . "$hints")
    [ "$n" -gt "$total" ] && n=$total
    expect_writable build && echo "$n" >"$seen"
    i=0
    grep . "$hints" | head -n "$n" | while IFS= read -r line; do
        i=$((i + 1)) && echo "hint $i of $total: $line"
    done | fold -s -w "$(at_most "$columns" 80)" | sed 's/ *$//'
    if [ "$n" -lt "$total" ]; then
        echo "(for the next hint, ask again)"
    elif [ "${name#problems/}" != "$name" ]; then
        echo "(that was the last; one answer of many is solutions/$chapter/$name.c)"
    else
        echo "(that was the last; make diff-${chapter%%-*} EX=$name FORCE=1 shows the solution)"
    fi
}

# function_of FILE NAME: its text, up to a } that begins a line.
function_of() {
    awk -v name="$2" '
        !on && /^[A-Za-z_]/ && $0 ~ "(^|[^A-Za-z0-9_])" name "[(]" { on = 1; text = "" }
        on { text = text $0 "\n" }
        on && /;[ \t]*$/ && text !~ /{/ { on = 0 }
        on && /^}/ { printf "%s", text; exit }' "$1"
}

# Two programs that are independent of each other have few lines in common: they are shown function
# by function, beside each other where there is room.
diff_with_solution() {
    need_name
    if [ -z "${FORCE:-}" ]; then
        make_run
        set -- $(check_one "$chapter/$name")
        if [ "$1" != right ]; then
            echo "make: your $name does not pass yet ($2 of $3 tests); FORCE=1 shows the" \
                "solution all the same" | in_columns >&2
            exit 1
        fi
    fi
    set -- "$LEARNER/$chapter/$name.c" "solutions/$chapter/$name.c"
    if [ -t 1 ] && [ "$columns" -ge 160 ]; then
        diff -y -t -W "$columns" "$1" "$2"
        return 0
    fi
    for function in $(nm "$B/solutions/$chapter/$name.o" | global_names); do
        printf '== %s: yours\n' "$function" && function_of "$1" "$function"
        printf '== %s: the solution\n' "$function" && function_of "$2" "$function"
    done
    printf 'all of it: %s\n           %s\n' "$1" "$2"
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

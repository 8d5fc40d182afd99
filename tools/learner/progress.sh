# The part of exercise.sh for make progress, and what make grade shares with it.
bar() { # bar PASSED TOTAL
    k=$(($2 ? 10 * $1 / $2 : 0))
    printf '%.*s%.*s\n' $k '##########' $((10 - k)) '..........'
}

state_in_words() {
    case $1 in
    unattempted) echo 'not started' ;;
    unknown) echo 'not checked yet' ;;
    broken) echo 'does not compile' ;;
    missing) echo 'not defined' ;;
    open) echo 'not static' ;;
    *) echo "$1" ;;
    esac
}

no_attack_yet() { # no_attack_yet NN-name/exercise
    [ ! -f "$LEARNER/$1.attack.c" ] || grep -q ATTACK_TODO "$LEARNER/$1.attack.c"
}

# The wrong solutions that the learner's attack catches, "caught wrong state": none before it is
# written, or while it refuses right code.
attack_of() {
    wrong=$(grep -c -v -e '^#' -e '^$' "tests/$1.mutants")
    if no_attack_yet "$1"; then
        echo "0 $wrong"
        return
    elif [ ! -f "$B/attack/$1.o" ] || [ ! -f "$B/variants/$1/lines" ]; then
        echo "0 $wrong not tried yet"
        return
    fi
    set -- $(tools/learner/attack.sh score "$1" 2>/dev/null)
    if [ $# = 0 ]; then
        echo "0 $wrong does not compile"
    elif [ "$1" != "$2" ]; then
        echo "0 $4 refuses right code"
    else
        echo "$3 $4"
    fi
}

# Behind the line of an exercise in make progress, which fits 80 columns.
attack_count() { # attack_count CAUGHT WRONG [STATE...]
    printf 'attack %d/%d' "$1" "$2"
    shift 2
    echo "${*:+ }$*"
}

# progress_of NN-name/exercise: "STATE PASSED ALL" from the last check, or from what is built;
# nothing is built for it.
progress_of() {
    known_verdict "$1" && return
    if [ ! -f "$LEARNER/$1.c" ]; then
        echo "unknown 0 $(test_names "$1" | grep -c .)"
    elif grep -q 'EXERCISE_TODO(' "$LEARNER/$1.c" && pristine_stub "$1" |
        cmp -s - "$LEARNER/$1.c"; then
        echo "unattempted 0 $(test_names "$1" | grep -c .)"
    elif [ -f "$B/rest/$1.o" ] && [ -f "$B/solutions/$1.o" ]; then
        check_one "$1"
    else
        echo "unknown 0 $(test_names "$1" | grep -c .)"
    fi
}

# The attack's part of an exercise's line, where it is built; counts for all.
progress_of_attack() {
    attack=
    [ -f "tests/$1.attack.c" ] || return
    score=$(attack_of "$1")
    attack=$(attack_count $score)
    all_caught=$((all_caught + ${score%% *})) && score=${score#* } &&
        all_wrong=$((all_wrong + ${score%% *}))
}

# One line an exercise, and one for all.
each_exercise() {
    all_p=0 all_n=0 all_caught=0 all_wrong=0 all_right=0 all_e=0
    for e in $(exercises_of); do
        testing "testing $e ..."
        set -- $(progress_of "$e")
        all_p=$((all_p + $2)) all_n=$((all_n + $3)) all_e=$((all_e + 1))
        [ "$1" != right ] || all_right=$((all_right + 1))
        testing ""
        progress_of_attack "$e"
        printf '%-27s %s %3d/%-3d %-17s%s\n' "$(short_name "$e")" "$(bar "$2" "$3")" "$2" "$3" \
            "$(state_in_words "$1")" "$attack"
    done
    printf '%-27s %s %3d/%-3d %-17s%s\n' all "$(bar "$all_p" "$all_n")" "$all_p" "$all_n" tests \
        "$([ "$all_wrong" = 0 ] || attack_count "$all_caught" "$all_wrong")"
}

# Of the rows, a line for each chapter that is right or not begun, unless FULL=1.
fold_chapters() {
    [ -z "${FULL:-}" ] || { cat && return; }
    awk '
        function end_chapter() {
            if (begun == 0) {
                from = from ? from : chapter
                to = chapter
                waiting += n
            } else {
                if (right == n) rows = sprintf("%-27s all %d exercises are right\n", chapter, n)
                printf "%s%s", end_waiting(), rows
            }
            n = begun = right = 0
            rows = ""
        }
        function end_waiting(  line) {
            if (waiting)
                line = sprintf("%-27s %d exercises, not started\n",
                    from == to ? from : from " to " to, waiting)
            waiting = from = 0
            return line
        }
        $1 !~ ("^" chapter) && n { end_chapter() }
        {
            chapter = $1
            sub(/\/.*/, "", chapter)
            rows = rows $0 "\n"
            n++
            begun += !/not started/
            right += / right /
        }
        END { end_chapter() }'
}

progress() {
    make_run
    each_exercise >"$scratch/rows"
    echo "$all_right of $all_e exercises"
    fold_chapters <"$scratch/rows"
    [ -n "${FULL:-}" ] || echo "(FULL=1: each exercise)"
}

#!/bin/sh
# The learner's commands: check, progress, grade, hint, diff, reset. Called by make with B, and what lib.sh needs.
#
#   exercise.sh check|hint|diff|reset CHAPTER [EXERCISE]      exercise.sh progress      exercise.sh grade DIRECTORY
. tools/make/lib.sh
. tools/learner/thorough.sh
command=$1 chapter=${2:-} name=${3:-}
if [ "$command" = grade ]; then case $chapter in -*) out=./$chapter ;; *) out=$chapter ;; esac; fi
case $command:$name in
*:) ;;
hint:problems/* | reset:problems/*) expect_problem "$chapter" "${name#*/}" ;;
reset:*.attack) expect_exercise "$chapter" "${name%.attack}" ;;
*) expect_exercise "$chapter" "$name" ;;
esac

# Every run has a directory of its own, $ran, so that an editor and a terminal may check at the same time.
make_run() {
    expect_writable build
    scratch=$(mktemp -d build/check-XXXXXX) || exit 1
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' HUP INT TERM
    ran=$scratch/ran
}

# What one object shows to other files, and another does not: helpers_in_sight, and functions that are missing.
shown_only_by() { # shown_only_by OBJECT OTHER
    global_names "$2" >"$scratch/names"
    global_names "$1" | comm -23 - "$scratch/names"
}
helpers_in_sight() { shown_only_by "$ran/$1.o" "$B/solutions/$1.o"; }
missing_functions() { shown_only_by "$B/solutions/$1.o" "$ran/$1.o"; }

# check_one NN-name/exercise: builds and runs the learner's file; prints "state passed all".
check_one() {
    binary=$ran/$1 file=$LEARNER/$1.c
    n=$(test_names "$1" | grep -c .)
    link_variant "$file" "$1" "$binary"
    linked=$?
    : >"$binary.tap"
    if [ ! -f "$binary.o" ]; then
        echo "broken 0 $n"
    elif [ -n "$(missing_functions "$1")" ]; then
        echo "missing 0 $n"
    elif [ -n "$(helpers_in_sight "$1")" ]; then
        echo "open 0 $n"
    elif [ $linked != 0 ]; then
        echo "broken 0 $n"
    else
        CHECK_BITS=1 OMP_NUM_THREADS=2 limited_tests "$binary"
        p=$(passed "$binary")
        [ -z "$thorough" ] || thorough_check "$1" "$([ "$p" = "$n" ] && echo right)"
        p=$(passed "$binary")
        keep_output "$1"
        if [ "$p" = 0 ] && grep -q "exercise $(short_name "$1") is not written yet" "$binary.out" &&
            pristine_stub "$1" | diff -bq - "$file" >/dev/null; then
            echo "unattempted 0 $n"
        elif [ "$p" = "$n" ]; then
            echo "right $p $n"
        else
            echo "wrong $p $n"
        fi
    fi
}

# The whole output stays, for the learner to read, in build/check; written at once, by whichever run ends last.
output_of() { echo "build/check/$1.out"; }
keep_output() {
    kept=$(output_of "$1")
    mkdir -p "${kept%/*}" && cp "$ran/$1.out" "$kept.$$" && mv "$kept.$$" "$kept"
}

# What the compiler says against a learner's file.
complaints() { # complaints error|warning NN-name/exercise
    case $1 in error) what='error|undefined|multiple' ;; *) what=warning: ;; esac
    grep -E "$what" "$ran/$2.log" | grep -v 'ld returned' | head -n 5 | while IFS= read -r line; do
        printf '%s\n' "${line#"$PWD"/}"
    done | readable
}

# A helper that is not static can meet another of its name in a later program.
make_static() { # make_static NN-name/exercise
    helpers_in_sight "$1" | while IFS= read -r helper; do
        printf "%s: make \`%s\` static: only the exercise's own functions may be seen by other files\n" "$LEARNER/$1.c" "$helper"
    done | readable
}
define() { # define NN-name/exercise
    missing_functions "$1" | sed "s|.*|$(printf '%s' "$LEARNER/$1.c" | sed 's/[|&\\]/\\&/g'): define \`&\`: the tests call it|" | readable
}

# In a terminal, what is being tested now: endless loops take their time.
testing() { [ ! -t 2 ] || printf '\r\033[K%s' "$1" >&2; }

bar() { # bar PASSED TOTAL
    awk -v p="$1" -v n="$2" 'BEGIN { k = n ? int(20 * p / n) : 0
        for (i = 1; i <= 20; i++) printf "%s", i <= k ? "#" : "."; print "" }'
}

# What the tests of a file said that was linked: failures, what they printed, and where all of it stands.
show_tests() { # show_tests NN-name/exercise
    failures "$ran/$1" names="$(test_names "$1" | tr '\n' ' ')" grouped=1 passing=1 full="${FULL:+1}" | sed 's/^/    /' >"$scratch/said"
    cat "$scratch/said"
    ! grep -q '^ *printed: ' "$scratch/said" || echo "    all that was printed: $(output_of "$1"), or FULL=1"
    complaints warning "$1" | sed 's/^/    /'
}

# The tests in gdb: the first that failed as one names it.
show_debugger() { # show_debugger NN-name/exercise
    test=$(sed -n 's/^    \([a-z0-9_]*\): .*/\1/p' "$scratch/said" | head -n 1)
    [ -z "$test" ] || echo "    step through it: make debug-$number EX=${1#*/} TEST=$test"
}

check() {
    thorough=yes
    make_run
    results=$scratch/results
    for e in ${name:+"$chapter/$name"} $([ -n "$name" ] || exercises_of "$chapter"); do
        testing "testing $e ..."
        echo "$e $(check_one "$e")" >>"$results"
    done
    testing ""
    number=${chapter%%-*}
    for wanted in unattempted broken missing open wrong right; do
        grep " $wanted " "$results" | while read -r e state p n; do
            file=$LEARNER/$e.c
            case $state in
            unattempted) echo "not started  $e ($n tests): edit $file; hint: make hint-$number EX=${e#*/}" ;;
            broken)
                echo "no binary    $e: $file does not compile"
                complaints error "$e" | sed 's/^/    /'
                ;;
            missing)
                echo "no binary    $e: none of $n tests run before this is mended"
                define "$e" | sed 's/^/    /'
                ;;
            open)
                echo "not static   $e: none of $n tests run before this is mended"
                make_static "$e" | sed 's/^/    /'
                ;;
            wrong)
                echo "wrong        $e: $p of $n tests pass"
                [ -s "$ran/$e.tap" ] ||
                    printf '    the tests end before the first: %s\n' "$(tail -n 1 "$ran/$e.out" | readable)"
                show_tests "$e"
                show_debugger "$e"
                ;;
            right)
                echo "right        $e: all $n tests pass; compare: make diff-$number EX=${e#*/}"
                show_tests "$e"
                ;;
            esac
        done
    done
    all=$(wc -l <"$results") right=$(grep -c ' right ' "$results")
    echo "$right of $((all)) exercises pass"
    # A script asks for the exit code. In a terminal the report is the answer, and make's "Error 1" below it tells nothing.
    [ "$right" = "$((all))" ] || [ -t 1 ]
}

state_in_words() { case $1 in unattempted) echo 'not started' ;; broken) echo 'does not compile' ;; missing) echo 'not defined' ;; open) echo 'not static' ;; *) echo "$1" ;; esac; }

# What the learner's attack on an exercise catches, "caught wrong state": none before it is written, or while it refuses right code.
attack_of() {
    wrong=$(grep -c -v -e '^#' -e '^$' "tests/mutants/$1.txt")
    if [ ! -f "$LEARNER/$1.attack.c" ] || grep -q ATTACK_TODO "$LEARNER/$1.attack.c"; then
        echo "0 $wrong"
        return
    fi
    set -- $(tools/learner/attack.sh score "$1" 2>/dev/null)
    if [ $# = 0 ]; then echo "0 $wrong does not compile"; elif [ "$1" != "$2" ]; then echo "0 $4 refuses right code"; else echo "$3 $4"; fi
}

# Behind the line of an exercise in make progress.
attack_bar() { # attack_bar CAUGHT WRONG [STATE...]
    printf 'attack %s %3d/%d' "$(bar "$1" "$2")" "$1" "$2"
    shift 2
    echo "${*:+ }$*"
}

# each_exercise [COMMAND]: one line an exercise and one for all; COMMAND gets the exercise, its state and its points.
each_exercise() {
    make_run
    all_p=0 all_n=0 all_caught=0 all_wrong=0
    for e in $(exercises_of); do
        testing "testing $e ..."
        set -- "${1:-:}" $(check_one "$e")
        all_p=$((all_p + $3)) all_n=$((all_n + $4))
        testing ""
        attack=
        if [ "$command" = progress ] && [ -f "tests/attacks/$e.c" ]; then
            score=$(attack_of "$e")
            attack=$(attack_bar $score)
            all_caught=$((all_caught + ${score%% *})) && score=${score#* } && all_wrong=$((all_wrong + ${score%% *}))
        fi
        printf '%-27s %s %3d/%-3d %-17s%s\n' "$(short_name "$e")" "$(bar "$3" "$4")" "$3" "$4" "$(state_in_words "$2")" "$attack"
        $1 "$e" "$2" "$3" "$4" || exit 1
    done
    printf '%-27s %s %3d/%-3d %-17s%s\n' all "$(bar "$all_p" "$all_n")" "$all_p" "$all_n" tests \
        "$([ "$all_wrong" = 0 ] || attack_bar "$all_caught" "$all_wrong")"
}

# One file NN-name.exercise.xml of the form that JUnit's readers take. Every test is in it, also where nothing ran.
write_junit() {
    binary=$ran/$1
    case $2 in
    broken) said="$(complaints error "$1")" why="does not compile" ;;
    missing) said="$(define "$1")" why="a function is not defined" ;;
    open) said="$(make_static "$1")" why="helpers are not static" ;;
    unattempted) said= why="not written yet" ;;
    *) said=$(failures "$binary") why="did not run" ;;
    esac
    xml=$out/$(echo "$1" | tr / .).xml
    test_names "$1" | said=$said why=$why awk -v exercise="$1" -v tap="$binary.tap" -f tools/learner/junit.awk >"$xml.new" &&
        mv "$xml.new" "$xml"
}

grade() {
    if [ -z "$out" ]; then
        echo "make: say where the results go: make grade OUT=DIRECTORY" >&2
        exit 2
    fi
    mkdir -p "$out" || exit 1
    thorough=yes
    each_exercise write_junit
    printf 'results in %s/*.xml (JUnit)\n' "$out" | readable
    [ "$all_p" = "$all_n" ]
}

need_name() {
    [ -n "$name" ] && return
    echo "make: say which exercise: EX=$(exercises_of "$chapter" | sed 's|.*/||' | tr '\n' '|' | sed 's/|$//; s/|/ or EX=/g')" >&2
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
    grep . "$hints" | head -n "$n" | awk -v total="$total" '{ print "hint " NR " of " total ": " $0 }' | fold -s -w 110
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
            echo "make: your $name does not pass yet ($2 of $3 tests); FORCE=1 shows the solution all the same" >&2
            exit 1
        fi
    fi
    diff -u "$LEARNER/$chapter/$name.c" "solutions/$chapter/$name.c" && echo "no difference"
    return 0
}

reset() {
    need_name
    file=$LEARNER/$chapter/$name.c
    expect_writable "${file%/*}"
    make_scratch
    stub=$scratch/stub
    pristine_stub "$chapter/$name" >"$stub"
    if ! grep -q _TODO\( "$stub"; then
        echo "make: no stub of $file found, neither in git's history nor in .stubs; nothing changed" >&2
        status=1
    elif cmp -s "$stub" "$file"; then
        echo "$file is the stub already; nothing changed"
    elif [ ! -f "$file" ]; then
        cat "$stub" >"$file" && echo "$file was missing; it is the stub now"
    elif agreed "Throw away your $file and go back to the stub? [y/N] "; then
        old=$file.old n=1
        while [ -e "$old" ]; do n=$((n + 1)) old=$file.old$n; done
        cp "$file" "$old" && cat "$stub" >"$file" && echo "$file is the stub again; your version is $old"
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

thorough=
case $command in
check) check ;;
again) again ;;
progress) each_exercise ;;
grade) grade ;;
hint) hint ;;
diff) diff_with_solution ;;
reset) reset ;;
esac

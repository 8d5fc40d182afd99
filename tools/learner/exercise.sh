#!/bin/sh
# The learner's commands: check, progress, grade, hint, diff, reset. Called by make with B, and what
# lib.sh needs.
#
#   exercise.sh check|hint|diff|reset CHAPTER [EXERCISE]
#   exercise.sh progress
#   exercise.sh grade DIRECTORY
. tools/make/lib.sh
. tools/learner/thorough.sh
. tools/learner/verdicts.sh
. tools/learner/progress.sh
. tools/learner/grade.sh
. tools/learner/help.sh
command=$1 chapter=${2:-} name=${3:-}
if [ "$command" = grade ]; then case $chapter in -*) out=./$chapter ;; *) out=$chapter ;; esac; fi
case $command:$name in
*:) ;;
hint:problems/* | reset:problems/*) expect_problem "$chapter" "${name#*/}" ;;
reset:*.attack)
    with_attack | grep -qxF "$chapter/${name%.attack}" || expect_exercise "$chapter" "$name"
    ;;
*) expect_exercise "$chapter" "$name" ;;
esac

no_stage() { echo "make: STAGE=$STAGE: $1" | in_columns >&2 && exit 2; }
# choose_stage: STAGE=2 runs the tests of one stage, of the exercise that has stages.
choose_stage() {
    for e in $(exercises_of "$chapter" | grep -x "${name:+$chapter/$name}.*"); do
        [ ! -f "$(stages_of "$e")" ] || break
    done
    stages=$(stages_of "$e")
    [ -f "$stages" ] || no_stage "${name:-$chapter} has no stages"
    name=${e#*/}
    ONLY=$(stage_tests "$e" "$STAGE")
    [ -n "$ONLY" ] || no_stage "$name has the stages $(sed 's/ .*//' "$stages" | paste -s -d ' ' -)"
    export ONLY
}
[ -z "${STAGE:-}" ] || choose_stage

# Every run has a directory of its own, $ran, so that an editor and a terminal may check at the same
# time.
make_run() {
    expect_writable build
    scratch=$(mktemp -d build/check-XXXXXX) || exit 1
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' HUP INT TERM
    ran=$scratch/ran
}

# The symbols of the learner's object. Names that only one of this object and the solution's shows
# to other files are helpers_in_sight, or functions that are missing.
read_object() { # read_object NN-name/exercise
    nm "$ran/$1.o" >"$ran/$1.nm"
    nm "$B/solutions/$1.o" | global_names >"$ran/$1.expected"
    global_names <"$ran/$1.nm" >"$ran/$1.shown"
}
helpers_in_sight() { comm -23 "$ran/$1.shown" "$ran/$1.expected"; }
missing_functions() { comm -13 "$ran/$1.shown" "$ran/$1.expected"; }
# Neither of the two.
is_whole() { [ -z "$(missing_functions "$1")$(helpers_in_sight "$1")" ]; }

# check_one NN-name/exercise: builds and runs the learner's file; prints "state passed all".
check_one() {
    binary=$ran/$1 file=$LEARNER/$1.c
    n=$(test_names "$1" | grep -c .)
    compile_variant "$file" "$1" "$binary" && read_object "$1" && is_whole "$1" &&
        link_object "$1" "$binary" && begin_thorough "$1"
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

# Keeps the tests' output in build/check for the learner to read, without its lines of data; renamed
# into place, so that the run that ends last wins.
output_of() { echo "build/check/$1.out"; }
keep_output() {
    kept=$(output_of "$1")
    mkdir -p "${kept%/*}" && grep -avE '^(bits|not|right|stack|wrong): ' "$ran/$1.out" >"$kept.$$"
    mv "$kept.$$" "$kept"
}

# The compiler's errors or warnings on a learner's file.
complaints() { # complaints error|warning NN-name/exercise
    case $1 in error) what='error|undefined|multiple' ;; *) what=warning: ;; esac
    sed 's|^[^ ]*/ld: ||' "$ran/$2.log" | grep -E "$what" |
        grep -v -e 'ld returned' -e '^warning: .*stack' -e '^NOTE: ' | uniq | head -n 5 |
        while IFS= read -r line; do printf '%s\n' "${line#"$PWD"/}"; done | readable
}

# A helper that is not static can meet another of its name in a later program.
make_static() { # make_static NN-name/exercise
    why="only the exercise's own functions may be seen by other files"
    helpers_in_sight "$1" | while IFS= read -r helper; do
        case $helper in
        main) printf '%s: take main() out: the tests have one\n' "$LEARNER/$1.c" ;;
        *) printf '%s: make `%s` static: %s\n' "$LEARNER/$1.c" "$helper" "$why" ;;
        esac
    done | readable
}
define() { # define NN-name/exercise
    missing_functions "$1" | while IFS= read -r function; do
        printf '%s: define `%s`: the tests call it\n' "$LEARNER/$1.c" "$function"
    done | readable
}

# ", 480 of at most 500 lines" or ", 530 lines: 30 too many" for an exercise that is a program,
# whose header has the limit; else nothing.
lines_of_page() {
    is_whole_program "$1" || return 0
    has=$(grep -c '' "$LEARNER/$1.c")
    most=$(sed -n 's/^enum {.*_LINES = \([0-9]*\).*/\1/p' "chapters/$1.h")
    if [ "$has" -le "$most" ]; then
        echo ", $has of at most $most lines"
    else
        echo ", $has lines: $((has - most)) too many"
    fi
}

# In a terminal, what is being tested now: endless loops take their time.
testing() { ! has_terminal || printf '\r\033[K%s' "$1" >&2; }

# The results of the tests of a file that was linked: the failure to work on first, in the
# terminal's columns, at most 80; all of it with FULL=1.
show_tests() { # show_tests NN-name/exercise
    complaints warning "$1" >"$ran/$1.warnings"
    exercise=$1 of="EX=${1#*/}"
    set -- binary="$ran/$1" output="$ran/$1.out" also="$ran/$1.also" notes="$ran/$1.notes" \
        stages="$(stages_of "$1")" names="$(test_names "$1" | tr '\n' ' ')"
    verdict first "$@" full="${FULL:-}" warnings="$ran/$exercise.warnings" \
        columns="$(at_most "$columns" 80)" step="make debug-$number $of TEST=" \
        hint="make hint-$number $of" >"$scratch/said"
    cat "$scratch/said"
    [ -z "${FULL:-}" ] || verdict list full=1 "$@" | sed 's/^/    /' | tee "$scratch/said"
    ! grep -q '^ *printed: ' "$scratch/said" ||
        echo "    all that was printed: $(output_of "$exercise")"
}

# Lines of what make check says; those that are too long go on in the next.
folded() {
    if [ -n "${FULL:-}" ]; then cat; else fold -s -w $(($(at_most "$columns" 80) - 4)); fi
}
indented() { sed 's/^/    /'; }

tell() { # tell NN-name/exercise STATE PASSED ALL
    file=$LEARNER/$1.c
    case $2 in
    unattempted)
        echo "not started  $1 ($4 tests)"
        echo "    edit $file"
        echo "    for a hint: make hint-$number EX=${1#*/}"
        ;;
    broken)
        echo "does not compile  $1"
        complaints error "$1" | folded | indented
        ;;
    missing)
        echo "not defined  $1: no test runs before this:"
        define "$1" | folded | indented
        ;;
    open)
        echo "not static   $1: no test runs before this:"
        make_static "$1" | folded | indented
        ;;
    wrong)
        echo "wrong        $1: $3 of $4 tests pass$(lines_of_page "$1")"
        [ -s "$ran/$1.tap" ] || echo "the tests end before the first$(
            tail -n 1 "$ran/$1.out" | readable | sed 's/^/: /')" | folded | indented
        show_tests "$1"
        ;;
    right)
        echo "right        $1: all $4 tests${STAGE:+ of stage $STAGE} pass$(lines_of_page "$1")"
        if [ -z "${STAGE:-}" ]; then
            echo "    compare: make diff-$number EX=${1#*/}"
            [ ! -f "exercises/$1.passed" ] || indented <"exercises/$1.passed"
        fi
        show_tests "$1"
        ;;
    esac
}

check() {
    thorough=yes
    make_run
    results=$scratch/results
    for e in ${name:+"$chapter/$name"} $([ -n "$name" ] || exercises_of "$chapter"); do
        testing "testing $e ..."
        result=$(check_one "$e")
        keep_verdict "$e" $result
        echo "$e $result" >>"$results"
    done
    testing ""
    number=${chapter%%-*}
    for wanted in unattempted broken missing open wrong right; do
        grep " $wanted " "$results" | while read -r result; do tell $result; done
    done
    all=$(wc -l <"$results") right=$(grep -c ' right ' "$results")
    echo "$right of $((all)) exercises pass"
    [ "$right" = "$((all))" ]
}

thorough=
fit_terminal
case $command in
check) check ;;
again) again ;;
progress) progress ;;
grade) grade ;;
hint) hint ;;
diff) diff_with_solution ;;
reset) reset ;;
esac

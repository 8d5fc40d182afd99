#!/bin/sh
# test.sh: solutions pass, no test passes on a pristine stub, every mutant is killed by the test
# that names it, no right solution is refused, chapters need nothing later, lessons quote the code
# and the numbers that are there. With ALL=1 also what is slow (slow_stages). The last line is "N
# passed, N failed". test.sh EXERCISE... or OPEN-PROBLEM...: only what must hold for these.
. tools/make/lib.sh
. tools/test/test-problems.sh
. tools/test/test-data.sh
. tools/test/test-learner.sh
. tools/test/test-class.sh
. tools/test/test-machines.sh
. tools/test/test-attacks.sh
. tools/test/test-tools.sh
. tools/test/test-visit.sh

good() { echo "passed" >>"$W/results"; }
bad() {
    echo "failed" >>"$W/results"
    printf '  FAILED %s\n' "$*"
}

# told WHAT SAID TEXT...: SAID, with its blanks and ends of lines as one blank, holds each TEXT, and
# none that begins with "no: ".
told() {
    what=$1 said=$(printf '%s\n' "$2" | tr -s ' \n' ' ')
    shift 2
    for text in "$@"; do
        case $text in "no: "*) there=bad absent=good ;; *) there=good absent=bad ;; esac
        case $said in
        *"${text#no: }"*) $there "$what ($text): $said" ;;
        *) $absent "$what ($text): $said" ;;
        esac
    done
}

# missing TEXT: what cannot be tested here. In CI, where everything can be installed, that is a
# failure.
missing() {
    echo "  skipped: $*"
    [ "${CI:-}" != true ] || bad "skipped: $*"
}

# --- 1 and 2: the solutions -----------------------------------------------------------------------
solutions() { # solutions LABEL MAKE-VARIABLES...
    label=$1
    shift
    B=$(make -s "$@" WERROR=1 print-build)
    export B
    if ! make -s -j"$JOBS" "$@" WERROR=1 all test-binaries >"$W/build.log" 2>&1; then
        grep -E 'error|warning|undefined|\*\*\*' "$W/build.log" | head -n 20
        bad "$label: does not build"
        return
    fi
    find "$B/test" -type f -perm -u+x ! -name '*.*' | sort >"$W/binaries"
    xargs -P "$JOBS" -n 1 sh -c '. tools/make/lib.sh; run_tests "$0"' <"$W/binaries"
    while read -r binary; do report "$label" "${binary#"$B"/test/}"; done <"$W/binaries"
}

report() { # report LABEL NAME: what came of tests/NAME.c, which has run
    binary=$B/test/$2
    p=$(passed "$binary") f=$(failed "$binary")
    if [ $((p + f)) = 0 ]; then
        bad "$1: tests/$2.c: no test ran"
        tail -n 5 "$binary.out"
        return
    fi
    i=0
    while [ $i -lt "$p" ]; do good; i=$((i + 1)); done
    failures "$binary" >"$W/failures"
    while read -r line; do bad "$1: tests/$2.c: $line"; done <"$W/failures"
    [ "$f" -gt 0 ] && [ ! -s "$W/failures" ] && bad "$1: tests/$2.c: $f tests failed"
    [ "$f" -gt 0 ] &&
        grep -E 'runtime error|ERROR: AddressSanitizer|^    #[0-4]' "$binary.out" | head -n 6
    grep -h 'SKIPPED' "$binary.out" | sort -u | sed 's/^/  /'
}

# As long as exercises/ is as git has it, its files are the stubs of tests/.
stubs_are_the_same() {
    [ -e .git ] && git diff --quiet HEAD -- exercises || return 0
    for file in $(stub_files); do
        cmp "tests/${file%.c}.stub" "exercises/$file" || return 1
    done
    [ "$(git ls-files 'exercises/*.c' | grep -c .)" = "$(stub_files | grep -c .)" ]
}

# --- 3: pristine stubs ----------------------------------------------------------------------------
stub() {
    if [ ! -f "tests/$1.c" ] || [ ! -f "exercises/$1.c" ] || [ ! -f "exercises/$1.hints" ]; then
        echo "failed $1: an exercise needs exercises/$1.c, exercises/$1.hints and tests/$1.c"
        return
    fi
    binary=$W/stubs/$1
    mkdir -p "$(dirname "$binary")"
    pristine_stub "$1" >"$binary.c"
    if ! link_variant "$binary.c" "$1" "$binary"; then
        echo "failed stub $1 does not compile: $(grep -m 1 error "$binary.log")"
        return
    fi
    limited_tests "$binary"
    [ "$(failed "$binary")" = 0 ] && echo "failed stub $1: no test failed on the stub"
    sed -n 's/^ok - \([^ ]*\).*/\1/p' "$binary.tap" | while read -r test; do
        echo "failed stub $1: $test passes on the stub, so it tests nothing"
    done
    sed -n 's/^not ok .*/passed/p' "$binary.tap"
}

# --- 4: mutants -----------------------------------------------------------------------------------
# mutant "EXERCISE|name | test | message | sed expression"
mutant() {
    exercise=${1%%|*} rest=${1#*|}
    name=$(printf '%s\n' "$rest" | awk -F ' \\| ' '{ print $1 }')
    test=$(printf '%s\n' "$rest" | awk -F ' \\| ' '{ print $2 }')
    message=$(printf '%s\n' "$rest" | awk -F ' \\| ' '{ print $3 }')
    edit=$(mutant_edit "$rest")
    binary=$W/mutants/$exercise-$name
    mkdir -p "$(dirname "$binary")"
    if ! sed "$edit" "solutions/$exercise.c" >"$binary.c" 2>/dev/null ||
        cmp -s "solutions/$exercise.c" "$binary.c"; then
        printf 'failed mutant %s: its sed expression changes nothing: %s\n' "$exercise $name" \
            "$edit"
        return
    fi
    if ! link_variant "$binary.c" "$exercise" "$binary"; then
        echo "failed mutant $exercise $name does not compile: $(grep -m 1 error "$binary.log")"
        return
    fi
    # Some do much work, and a processor may be slow: the test shall say so, and not its time.
    CHECK_SECONDS=$((2 * CHECK_SECONDS))
    ONLY=$test limited_tests "$binary"
    if ! grep -q "^not ok - [^ ]*::$test " "$binary.tap"; then
        limited_tests "$binary"
        fails=$(sed -n 's/^not ok - \([^ ]*\).*/\1/p' "$binary.tap" | tr '\n' ' ')
        echo "failed mutant $exercise $name: survives $test; failed: $fails"
    elif [ "$message" != - ] &&
        ! failures "$binary" | grep "^$test: " | grep -qF -- "$message"; then
        echo "failed mutant $exercise $name: $test fails without saying '$message':" \
            "$(failures "$binary" | grep -m 1 "^$test: ")"
    else
        echo passed
    fi
}

# --- 5: right solutions ---------------------------------------------------------------------------
# right FILE: tests/NN-name/X.right/NAME.c, a right solution that is written differently, or of a
# whole program NAME.diff, in which it differs from ours: the tests accept it, and the compiler has
# nothing to say.
right() {
    exercise=${1#tests/} binary=$W/right/${1#tests/} source=$1
    exercise=${exercise%.right/*} binary=${binary%.*}
    case $1 in
    *.diff)
        source=$binary.c
        mkdir -p "${binary%/*}"
        if ! patch -s -o "$source" "solutions/$exercise.c" "$1" >"$binary.log" 2>&1; then
            echo "failed $1: $(tail -n 1 "$binary.log")"
            return
        fi
        ;;
    esac
    if ! link_variant "$source" "$exercise" "$binary" || [ -s "$binary.log" ]; then
        echo "failed $1: $(grep -m 1 -E 'error|warning|undefined' "$binary.log")"
        return
    fi
    run_lite "$binary"
    if [ "$(failed "$binary")" = 0 ] &&
        [ "$(passed "$binary")" = "$(test_names "$exercise" | grep -c .)" ]; then
        echo passed
    else
        echo "failed $1 is refused: $(failures "$binary" | head -n 1)"
    fi
}

# Runs FUNCTION for each line of standard input, in parallel, and counts the result lines.
collect() { # collect FUNCTION
    cat >"$W/lines"
    : >"$W/collected"
    show_count "$W/collected" . "of $(grep -c . "$W/lines") or more" &
    shown=$!
    xargs -r -P "$JOBS" -d '\n' -n 1 env FUNCTION="$1" tools/test/test.sh --one <"$W/lines" \
        >"$W/collected"
    kill $shown 2>/dev/null
    wait $shown 2>/dev/null
    [ ! -t 3 ] || printf '\r\033[K' >&3
    grep -c '^passed' "$W/collected" | sed 's/$/ as they should/; s/^/  /'
    cat "$W/collected" >>"$W/results.more"
    sed -n 's/^failed/  FAILED/p' "$W/collected"
}

# stage TITLE SECONDS: says what begins, about how long it takes on two idle cores, and what the
# last stage took.
stage() {
    now=$(seconds_now)
    now=${now%.*}
    [ -z "${stage_began:-}" ] || printf '  in %s s\n' $((now - stage_began))
    stage_began=$now
    to_come=$((to_come - $2))
    left=$(((to_come + $2 + 59) / 60))
    printf '== %s%s\n' "$1" "${seconds_in_all:+; about $2 s, $left min left with all that follows}"
}

stubs_mutants_right() { # stubs_mutants_right EXERCISE...
    stage "pristine stubs: no test may pass" 30
    printf '%s\n' "$@" | collect stub
    stage "mutants: each must be caught by the test that names it" 180
    for e in "$@"; do [ -f "tests/$e.mutants" ] || bad "tests/$e.mutants is missing"; done
    for e in "$@"; do
        grep -v -e '^#' -e '^$' "tests/$e.mutants" 2>/dev/null | sed "s#^#$e|#"
    done | collect mutant
    stage "right solutions: none may be refused" 30
    for e in "$@"; do
        least=2
        ! is_whole_program "$e" || least=1
        [ "$(ls "tests/$e.right" 2>/dev/null | grep -c .)" -ge $least ] ||
            bad "tests/$e.right: fewer than $least right solutions"
    done
    for e in "$@"; do ls tests/"$e".right/* 2>/dev/null; done | collect right
}

# A stage says a screen at most; the rest of it is in $W/output.
in_screens() {
    : >"$W/output"
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$W/output"
        case $line in "== "*) lines=0 ;; esac
        lines=$((${lines:-0} + 1))
        if [ $lines -le 24 ]; then printf '%s\n' "$line"; fi
        if [ $lines = 25 ]; then echo "  ... and so on: $W/output"; fi
    done
}

# The last line, and the exit code.
total() {
    [ -f "$W/ended" ] || bad "test.sh broke off"
    cat "$W/results.more" >>"$W/results"
    p=$(grep -c '^passed' "$W/results") f=$(grep -c '^failed' "$W/results")
    echo "$p passed, $f failed"
    [ "$f" = 0 ] && [ "$p" -gt 0 ]
}

one_exercise() { # one_exercise EXERCISE...
    export B
    case $1 in */problems/*)
        strict= judges "$@"
        return
        ;;
    esac
    stage "solutions" 0
    for e in "$@"; do
        run_tests "$B/test/$e"
        report solution "$e"
    done
    stubs_mutants_right "$@"
    strict= attacks "$@"
}

# Stages that a change of code or of a lesson may break: make test.
quick_stages() {
    stage "solutions (the first time, with their build)" 100
    solutions "solutions"
    plain=$B
    export B W
    stubs_mutants_right $(exercises_of)
    stage "chapters need nothing later" 2
    for c in $(cd chapters && ls -d */); do
        if tools/test/alone.sh "${c%/}"; then good; else bad "alone ${c%/}"; fi
    done
    if tools/test/rooms.sh; then good; else bad "the rooms of common/ (common/README.md)"; fi
    if tools/test/aliases.sh; then good; else bad "calls that a header does not allow"; fi
    if tools/test/mistakes.sh; then good; else bad "tests/mistakes.txt names what is there"; fi
    if stubs_are_the_same; then good; else bad "exercises/X.c are copies of tests/X.stub"; fi
    stage "layout" 5
    if tools/test/format.sh check; then good; else bad "make format lays out the files"; fi
    stage "prose: code and values that lessons quote" 3
    if QUICK=1 LC_ALL=$foreign tools/docs/docs.sh check; then good; else
        bad "make check-docs: make docs refills the READMEs"
    fi
}

# Slow stages, which seldom break alone: make test-all.
slow_stages() {
    stage "solutions under AddressSanitizer and UndefinedBehaviorSanitizer" 150
    solutions "sanitizers" SANITIZE=1
    B=$plain
    strict=WERROR=1 attacks $(exercises_of)
    strict=WERROR=1 judges $(problems_of)
    problem_command
    stage "same seed, same bytes" 250
    if tools/test/check-bits.sh; then good; else bad "make check-bits"; fi
    stage "many processes, the same bytes" 60
    ranks
    stage "the tools" 390
    tools
    stage "prose: what lessons say that programs print" 270
    if LC_ALL=$foreign tools/docs/docs.sh check; then good; else
        bad "make check-docs: make docs refills the READMEs"
    fi
}

main() {
    foreign_locale
    seconds_in_all=350
    [ -z "${ALL:-}" ] || seconds_in_all=1560
    to_come=$seconds_in_all
    quick_stages
    if [ -n "${ALL:-}" ]; then
        slow_stages
    else
        echo "  not tested here: sanitizers, attacks, judges, bytes, processes, tools, outputs:" \
            "make test-all"
    fi
}

if [ "${1:-}" = --one ]; then
    case $FUNCTION in
    stub) stub "$2" ;;
    mutant) mutant "$2" ;;
    answer) answer "$2" ;;
    right) right "$2" ;;
    attack) attack "$2" ;;
    esac
    exit
fi
if [ $# = 0 ]; then W=build/test; else W=build/mutants; fi
export W
to_come=0 seconds_in_all=
rm -rf "$W" && mkdir -p "$W" && : >"$W/results"
for e in "$@"; do
    case $e in */problems/*) ;; *) expect_exercise "${e%/*}" "${e#*/}" ;; esac
done
exec 3>&2 # progress, which is no line
{
    if [ $# = 0 ]; then main; else one_exercise "$@"; fi
    : >"$W/ended"
} 2>&1 | in_screens
total

#!/bin/sh
# test.sh: solutions pass, no test passes on a pristine stub, every mutant is killed by the test that names it, chapters need
# nothing later, lessons quote the code and the numbers that are there. With ALL=1 also what is slow (slow_stages). The last line
# is "N passed, N failed". test.sh EXERCISE... or OPEN-PROBLEM...: only what must hold for these.
. tools/make/lib.sh
. tools/test/test-problems.sh
. tools/test/test-learner.sh
. tools/test/test-attacks.sh
. tools/test/test-tools.sh

good() { echo "passed" >>"$W/results"; }
bad() {
    echo "failed" >>"$W/results"
    printf '  FAILED %s\n' "$*"
}

# missing TEXT: what cannot be tested here. In CI, where everything can be installed, that is a failure.
missing() {
    echo "  skipped: $*"
    [ "${CI:-}" != true ] || bad "skipped: $*"
}

# --- 1 and 2: the solutions -------------------------------------------------------------------------------------------
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
    [ "$f" -gt 0 ] && grep -E 'runtime error|ERROR: AddressSanitizer|^    #[0-4]' "$binary.out" | head -n 6
    grep -h 'SKIPPED' "$binary.out" | sort -u | sed 's/^/  /'
}

# --- 3: pristine stubs ---------------------------------------------------------------------------------------------
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
    sed -n 's/^ok - \([^ ]*\).*/failed stub '"$(echo "$1" | sed 's|/|\\/|')"': \1 passes on the stub, so it tests nothing/p' "$binary.tap"
    sed -n 's/^not ok .*/passed/p' "$binary.tap"
}

# --- 4: mutants ----------------------------------------------------------------------------------------------------
# mutant "EXERCISE|name | test | message | sed expression"
mutant() {
    exercise=${1%%|*} rest=${1#*|}
    name=$(printf '%s\n' "$rest" | awk -F ' \\| ' '{ print $1 }')
    test=$(printf '%s\n' "$rest" | awk -F ' \\| ' '{ print $2 }')
    message=$(printf '%s\n' "$rest" | awk -F ' \\| ' '{ print $3 }')
    edit=$(mutant_edit "$rest")
    binary=$W/mutants/$exercise-$name
    mkdir -p "$(dirname "$binary")"
    if ! sed "$edit" "solutions/$exercise.c" >"$binary.c" 2>/dev/null || cmp -s "solutions/$exercise.c" "$binary.c"; then
        printf 'failed mutant %s: its sed expression changes nothing: %s\n' "$exercise $name" "$edit"
        return
    fi
    if ! link_variant "$binary.c" "$exercise" "$binary"; then
        echo "failed mutant $exercise $name does not compile: $(grep -m 1 error "$binary.log")"
        return
    fi
    limited_tests "$binary"
    if ! grep -q "^not ok - [^ ]*::$test " "$binary.tap"; then
        echo "failed mutant $exercise $name: survives $test; failed: $(sed -n 's/^not ok - \([^ ]*\).*/\1/p' "$binary.tap" | tr '\n' ' ')"
    elif [ "$message" != - ] && ! failures "$binary" | grep "^$test: " | grep -qF -- "$message"; then
        echo "failed mutant $exercise $name: $test fails without saying '$message': $(failures "$binary" | grep "^$test: " | head -n 1)"
    else
        echo passed
    fi
}

# Runs FUNCTION for each line of standard input, in parallel, and counts the result lines.
collect() { # collect FUNCTION
    cat >"$W/lines"
    : >"$W/collected"
    show_progress "$(grep -c . "$W/lines")" &
    shown=$!
    xargs -r -P "$JOBS" -d '\n' -n 1 env FUNCTION="$1" tools/test/test.sh --one <"$W/lines" >"$W/collected"
    kill $shown 2>/dev/null
    wait $shown 2>/dev/null
    [ ! -t 2 ] || printf '\r\033[K' >&2
    grep -c '^passed' "$W/collected" | sed 's/$/ as they should/; s/^/  /'
    cat "$W/collected" >>"$W/results.more"
    sed -n 's/^failed/  FAILED/p' "$W/collected"
}
show_progress() { # show_progress TOTAL
    [ -t 2 ] || return
    while sleep 1; do printf '\r  %s of %s or more\033[K' "$(grep -c . "$W/collected")" "$1" >&2; done
}

<<<<<<< HEAD
# stage TITLE SECONDS: says what begins, about how long it takes on two idle cores, and what the last stage took.
stage() {
    now=$(date +%s)
    [ -z "${stage_began:-}" ] || printf '  in %s s\n' $((now - stage_began))
    stage_began=$now
    to_come=$((to_come - $2))
    left=$(((to_come + $2 + 59) / 60))
    printf '== %s%s\n' "$1" "${seconds_in_all:+; about $2 s, $left min left with all that follows}"
=======
# A figure drawn in another language has the same bytes.
plots_in_a_foreign_language() {
    [ "$foreign" != C ] || return
    for language in C "$foreign"; do
        LC_ALL=$language tools/docs/plots.sh --quick 04-ffn-swiglu >"$W/plots.out" 2>&1 || { bad "make plots-04: $(tail -n 1 "$W/plots.out")"; return; }
        mkdir -p "$W/plots" && mv build/plots "$W/plots/$language"
    done
    if diff -rq "$W/plots/C" "$W/plots/$foreign"; then good; else bad "make plots-04 with LC_ALL=$foreign gives other bytes"; fi
}

# --- 5: the tools, on files with a known result ----------------------------------------------------------------------
weave() { awk -v used=/dev/null -f tools/docs/values.awk -f tools/docs/weave.awk "$1"; }
decimals() { awk -f tools/docs/decimals.awk "$1"; }

# refused CHECK FILE: each line of the file is "message | line of a README" (@ begins another line): the check must fail on it with
# that message, at the last line.
refused() {
    while read -r line; do
        printf '%s\n' "${line#* | }" | tr @ '\n' >"$W/wrong.md"
        if "$1" "$W/wrong.md" >/dev/null 2>"$W/said"; then
            bad "a README with this line is taken for right: ${line#* | }"
        elif grep -qF "wrong.md:$(grep -c . "$W/wrong.md"): " "$W/said" && grep -qF -- "${line%% | *}" "$W/said"; then
            good
        else
            bad "${line#* | } fails without saying '${line%% | *}': $(cat "$W/said")"
        fi
    done <"$2"
}

tools() {
    if weave tests/tools/values.md | cmp - tests/tools/values.expected; then good; else bad "tests/tools/values.md"; fi
    refused weave tests/tools/values.wrong
    if decimals tests/tools/decimals.md; then good; else bad "tests/tools/decimals.md"; fi
    refused decimals tests/tools/decimals.wrong
    experiments
    programs
    setup_that_fails
    nothing_given_is_run
    arguments
    wrong_on_purpose
    plots_in_a_foreign_language
    waiting
    bits_32
    learners_tools
    attacks_that_fail
    figures
    tests_without_criterion
    if make -s compile-commands >/dev/null; then good; else bad "make compile-commands"; fi
}

# An experiment is found by its name: --experiment batch-size is experiment_batch_size in experiments/batch_size.c.
experiments() {
    for chapter in $(cd chapters && ls); do
        [ -x "build/$chapter" ] || continue
        "build/$chapter" --help | awk '/^experiments:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' | tr - _ >"$W/experiments"
        while read -r name; do
            if grep -q "^void experiment_$name(" "chapters/$chapter/experiments/$name.c"; then good; else
                bad "chapters/$chapter/experiments/$name.c: there is no experiment_$name"
            fi
        done <"$W/experiments"
    done
}

# Chapter 16, where MPI is.
ranks() {
    make -s test-ranks >"$W/ranks" 2>&1 || bad "make test-ranks: $(tail -n 1 "$W/ranks")"
    grep -c '^passed' "$W/ranks" | sed 's/$/ as they should/; s/^/  /'
    grep '^passed' "$W/ranks" >>"$W/results.more"
    sed -n 's/^failed */failed /p' "$W/ranks" >>"$W/results.more"
    sed -n 's/^failed/  FAILED/p; s/^SKIPPED/  &/p' "$W/ranks"
}

# Each line of programs.txt is "exit code | message | command": the one line that the command must say.
programs() {
    grep -v -e '^#' -e '^$' tests/tools/programs.txt >"$W/commands"
    while read -r line; do
        code=${line%% | *} rest=${line#* | }
        sh -c "${rest#* | }" >/dev/null 2>"$W/said" </dev/null
        got=$?
        if [ "$got" = "$code" ] && [ "$(grep -c . "$W/said")" = 1 ] && grep -qF -- "${rest%% | *}" "$W/said"; then
            good
        else
            bad "${rest#* | }: exit code $got, expected $code and '${rest%% | *}': $(cat "$W/said")"
        fi
    done <"$W/commands"
}

# What a caller gives to make is a text: nothing in it is run, by make or by a shell, from the command line or the environment.
nothing_given_is_run() {
    mark=$W/was-run
    rm -f "$mark"
    while read -r variable goal; do
        for text in "; touch $mark; \$(touch $mark) \$(shell touch $mark) \`touch $mark\`
touch $mark; " "'; touch $mark; '" "\"; touch $mark; \""; do
            TEXT_URL=http://127.0.0.1:9 make -s "$goal" "$variable=$text" >/dev/null 2>&1 </dev/null
        done
        env "$variable=; \$(shell touch $mark) \$(touch $mark)" TEXT_URL=http://127.0.0.1:9 make -s "$goal" >/dev/null 2>&1 </dev/null
        if [ ! -e "$mark" ]; then good; else bad "make $goal $variable=... runs a command that stands in $variable"; fi
        rm -f "$mark"
    done <<END
ARGS run-09
DATA help
DEBUG help
EX hint-00
FORCE hint-00
KILLS help
LEARNER hint-00
MINE print-build
MODEL data
OUT help
P problem-02
QUICK help
RANKS help
SUMS help
SECONDS fuzz
STAGE hint-00
TARGET fuzz
TERMINAL help
TEST debug-00
WRONG help
END
    TERMINAL="svg'; system('touch $mark'); '" tools/docs/plots.sh --quick 04-ffn-swiglu >/dev/null 2>&1
    if [ -e "$mark" ]; then bad "make plots runs a command that stands in TERMINAL"; else good; fi
    make -s "check-;touch was-run" >/dev/null 2>&1
    if [ -e was-run ]; then bad "make check-... runs a command that stands in its name"; rm was-run; else good; fi
}

# What a package manager that fails had printed is shown, from a file of a name that nobody can foresee, which is gone afterwards.
setup_that_fails() {
    mkdir -p "$W/fake" "$W/tmp"
    printf '#!/bin/sh\necho 0\n' >"$W/fake/id"
    printf '#!/bin/sh\n[ "$1" = update ] || { echo "no such package, $(ls "$TMPDIR" | grep -c .) file"; exit 1; }\n' >"$W/fake/apt-get"
    chmod +x "$W/fake/id" "$W/fake/apt-get"
    said=$(TMPDIR=$W/tmp PATH="$PWD/$W/fake:$PATH" CC=false tools/learner/setup.sh 2>&1)
    case $?/$said in
    1/*"no such package, 1 file"*"please run: apt-get install -y"*) good ;;
    *) bad "tools/learner/setup.sh where apt-get fails: $said" ;;
    esac
    if rmdir "$W/tmp"; then good; else bad "tools/learner/setup.sh leaves its file"; fi
}

# ARGS: quotes hold words together, the program reads standard input, and its exit code is make's business.
arguments() {
    said=$(make -s run-09 ARGS="encode 'a \"\$HOME'" 2>&1)
    case $said in *"'a \"\$HOME'"*) good ;; *) bad "make run-09 with quotes in ARGS: $said" ;; esac
    said=$(echo 79 75 | make -s run-09 ARGS=decode 2>&1)
    case $said in *OK*) good ;; *) bad "make run-09 ARGS=decode does not read standard input: $said" ;; esac
    said=$(make -s run-09 ARGS="show 'a" 2>&1)
    case $said in *"ARGS=show 'a: a quote is not closed"*"Error 2"*) good ;; *) bad "make run-09 with half a quotation: $said" ;; esac
}

# WRONG runs a program on a mutant, and shows what its test says of it; a name that is none is refused with those there are.
wrong_on_purpose() {
    said=$(make -s run-01 WRONG=01/layernorm/columns 2>"$W/said" | sed -n 4p)
    if [ -n "$said" ] && [ "$said" != "$(build/01-layernorm-vs-batchnorm | sed -n 4p)" ] && grep -q '^wrong: columns in 01/layernorm;' "$W/said"
    then good; else bad "make run-01 WRONG=01/layernorm/columns: $said $(cat "$W/said")"; fi
    said=$(make -s check-01 WRONG=01/layernorm/no-mean 2>&1)
    case $said in *"RMSNorm"*) good ;; *) bad "make check-01 WRONG=01/layernorm/no-mean: $said" ;; esac
    said=$(make -s run-01 WRONG=01/layernorm/none 2>&1)
    case $said in *"WRONG=01/layernorm/none: "*"there are: bessel eps-outside-root"*) good ;; *) bad "WRONG=01/layernorm/none: $said" ;; esac
}

# A program chooses how its threads wait (common/kernels/threads.h) and starts again, with its arguments and its input; a choice of the
# user stays. OMP_DISPLAY_ENV=verbose makes each start say what OpenMP has read.
waiting() {
    case " $ALL_FLAGS " in *" -fopenmp "*) ;; *) echo "  skipped: how threads wait: no OpenMP" && return ;; esac
    [ -e /proc/self/exe ] || { echo "  skipped: how threads wait: no /proc" && return; }
    for choice in '' OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=777 KMP_BLOCKTIME=7 KMP_LIBRARY=throughput; do
        echo 65 | env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT -u KMP_BLOCKTIME -u KMP_LIBRARY OMP_DISPLAY_ENV=verbose $choice \
            build/09-tokenizer decode --out 'a b' >"$W/waiting.out" 2>"$W/waiting"
        if [ -n "$choice" ]; then expected="1 1"; else expected="2 2"; fi
        starts=$(grep -c 'ENVIRONMENT BEGIN' "$W/waiting")
        read=$(grep -E 'GOMP_SPINCOUNT|KMP_BLOCKTIME' "$W/waiting" | sort -u | grep -c .)
        if [ "$starts $read $(cat "$W/waiting.out")" = "$expected A" ]; then good; else
            bad "how threads wait, with '$choice': $starts starts read $read ways: $(cat "$W/waiting" "$W/waiting.out")"
        fi
    done
}

# Where size_t has 32 bits, no number is cut off unnoticed: the compiler would warn.
bits_32() {
    if ! printf '#include <errno.h>\n#include <stdio.h>\n' | $CC -m32 $ALL_FLAGS -fsyntax-only -x c - 2>/dev/null; then
        echo "  skipped: size_t of 32 bits: $CC -m32 does not compile here (Debian: gcc-multilib)"
        return
    fi
    others=$(grep -l '^COMPILER' chapters/*/chapter.mk | cut -d / -f 2) # their headers are not here with 32 bits
    files=$(ls common/*/*.c chapters/*/*.c chapters/*/*/*.c solutions/*/*.c solutions/*/*/*.c | grep -vF "${others:-none}")
    if $CC -m32 $ALL_FLAGS -Werror $INCLUDES -fsyntax-only $files 2>"$W/bits_32"
    then good; else bad "size_t of 32 bits: $(grep -m 5 error: "$W/bits_32")"; fi
}

# Every figure draws from the data that are here, whole or not at all.
figures() {
    mkdir -p "$W/figures"
    for script in plots/[0-9]*.gp; do
        if tools/docs/draw.sh "$script" plots/data "$W/figures/$(basename "$script" .gp).svg" >"$W/drawn" 2>&1 && [ "$(grep -c . "$W/drawn")" = 1 ]
        then good; else bad "$script: $(cat "$W/drawn")"; fi
    done
    echo old >"$W/figures/old.svg"
    (ulimit -f 8 && trap '' XFSZ && tools/docs/draw.sh plots/11-loss.gp plots/data "$W/figures/old.svg") >"$W/drawn" 2>&1
    if [ $? = 1 ] && grep -qx old "$W/figures/old.svg" && grep -q 'did not finish it' "$W/drawn" && ! ls "$W"/figures/*.new-* >/dev/null 2>&1
    then good; else bad "a figure that does not fit on the disk: $(cat "$W/drawn")"; fi
}

# tests/harness/test_harness.c comes to what Criterion comes to: of fixtures, a test that ends by exit(1), failed checks and a file that
# ends its tests by a crash.
tests_without_criterion() {
    e=01-layernorm-vs-batchnorm/layernorm
    make -s WERROR=1 "$B/tests/harness/test_harness.o" "$B/lite/common/file" "$B/lite/$e" || bad "the tests without Criterion do not build"
    same_verdicts "$B/test/common/file" "$B/lite/common/file"
    same_verdicts "$B/test/$e" "$B/lite/$e"
    { read -r compiler && read -r libraries; } <"$B/rest/$e.link"
    for wrong in "$W/stubs/$e" $(find "$W/mutants/${e%/*}" -name "layernorm-*.o" | sed 's/\.o$//'); do
        $compiler "$B/rest/$e.o" "$wrong.o" "$B/tests/harness/test_harness.o" $libraries -o "$wrong-lite"
        same_verdicts "$wrong" "$wrong-lite"
    done
}

same_verdicts() { # same_verdicts BINARY-THAT-RAN HARNESS-BINARY
    run_lite "$2"
    for tap in "$1.tap" "$2.tap"; do sed -nE 's/^((not )?ok - [^ ]*).*/\1/p' "$tap" | sort >"$tap.verdicts"; done
    if [ -s "$1.tap.verdicts" ] && cmp -s "$1.tap.verdicts" "$2.tap.verdicts" && grep -q '^1\.\.' "$2.tap"; then good; else
        bad "${2#"$B/"}: other verdicts than Criterion's: $(diff "$1.tap.verdicts" "$2.tap.verdicts" | tr '\n' ' ')"
    fi
>>>>>>> verdict
}

stubs_and_mutants() { # stubs_and_mutants EXERCISE...
    stage "pristine stubs: no test may pass" 110
    printf '%s\n' "$@" | collect stub
    stage "mutants: each must be caught by the test that names it" 160
    for e in "$@"; do [ -f "tests/mutants/$e.txt" ] || bad "tests/mutants/$e.txt is missing"; done
    for e in "$@"; do
        grep -v -e '^#' -e '^$' "tests/mutants/$e.txt" 2>/dev/null | sed "s#^#$e|#"
    done | collect mutant
}

# The last line, and the exit code.
total() {
    cat "$W/results.more" >>"$W/results"
    p=$(grep -c '^passed' "$W/results") f=$(grep -c '^failed' "$W/results")
    echo "$p passed, $f failed"
    [ "$f" = 0 ] && [ "$p" -gt 0 ]
}

one_exercise() { # one_exercise EXERCISE...
    export B
    case $1 in */problems/*) strict= judges "$@" && total && return; return 1 ;; esac
    for e in "$@"; do expect_exercise "${e%/*}" "${e#*/}"; done
    stage "solutions" 0
    for e in "$@"; do
        run_tests "$B/test/$e"
        report solution "$e"
    done
    stubs_and_mutants "$@"
    strict= attacks "$@"
    total
}

# What breaks when somebody changes code or a lesson: make test.
quick_stages() {
    stage "solutions (the first time, with their build)" 100
    solutions "solutions"
    plain=$B
    export B W
    stubs_and_mutants $(exercises_of)
    stage "chapters need nothing later" 2
    for c in $(cd chapters && ls -d */); do
        if tools/test/alone.sh "${c%/}"; then good; else bad "alone ${c%/}"; fi
    done
    if tools/test/rooms.sh; then good; else bad "the rooms of common/ (common/README.md)"; fi
    stage "layout" 15
    if tools/test/format.sh check; then good; else bad "make format lays out the files"; fi
    stage "prose: code and values that lessons quote" 3
    if QUICK=1 LC_ALL=$foreign tools/docs/docs.sh check; then good; else bad "make check-docs: make docs refills the READMEs"; fi
}

# What is slow, and seldom breaks by itself: make test-all.
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
    if LC_ALL=$foreign tools/docs/docs.sh check; then good; else bad "make check-docs: make docs refills the READMEs"; fi
}

main() {
    foreign_locale
    seconds_in_all=390
    [ -z "${ALL:-}" ] || seconds_in_all=1680
    to_come=$seconds_in_all
    quick_stages
    if [ -n "${ALL:-}" ]; then
        slow_stages
    else
        echo "  not tested here: sanitizers, attacks, judges, bytes, processes, tools, outputs: make test-all"
    fi
    total
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
if [ $# = 0 ]; then main; else one_exercise "$@"; fi

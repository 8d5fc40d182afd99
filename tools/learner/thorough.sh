# The part of exercise.sh for what make check does beyond one run of the tests: other numbers of threads, the sanitizers, and where
# tests fail, runs that say why.

STOPPED='ERROR: AddressSanitizer|runtime error: '

# thorough_check NN-name/exercise [right]: behind a run of the tests, which all passed or did not. What is found fails the tests that
# it was found in; of races the rest is only what follows.
thorough_check() {
    if [ -n "$2" ]; then
        sanitized_run "$1" &
        race_run "$1" &
        other_threads "$1"
        ! memory_error "$1" || : >"$ran/$1.races"
        let_fail "$1" races
        let_fail "$1" found
        [ -s "$ran/$1.races" ] || sanitized_verdict "$1"
    else
        further_runs "$1"
        if crashed_nowhere "$1"; then
            sanitized_run "$1"
            ! crashed_somewhere "$1" || sanitized_verdict "$1"
            rm -f "$ran/$1.also"
        fi
        let_fail "$1" races
    fi
}

# Of tests that have passed once: a limit of time tells of a busy machine only.
real_failures() { failures "$@" | grep '^[a-z0-9_]*: ' | grep -v ': ran out of time: '; }

# Tests that pass do so with 1 and with 3 threads too, and every number has the same bytes then. Waits for whatever runs beside.
other_threads() { # other_threads NN-name/exercise
    lite=$ran/$1-lite
    ln -f "$ran/$1.o" "$lite.o" && link_object "$1" "$lite" "$B/tests/harness/test_harness.o"
    for threads in 1 3; do
        on=$ran/$1-$threads-threads
        ln -f "$lite" "$on"
        (export CHECK_BITS=1 OMP_NUM_THREADS=$threads && pass_lite "$on" || { ln -f "$ran/$1" "$on" && limited_tests "$on"; }) &
    done
    wait
    for threads in 1 3; do
        on=$ran/$1-$threads-threads
        with="with $threads $([ $threads = 1 ] && echo thread || echo threads)"
        verdict bits output="$ran/$1.out" other="$on.out" threads="$with than with 2"
        echo ", $with" >"$on.also"
        real_failures "$on"
    done >"$ran/$1.found"
}

# Variables of functions that nobody has written hold what no number is, where the compiler can.
filled_variables() {
    ! $CC -ftrivial-auto-var-init=pattern -x c -c /dev/null -o /dev/null 2>/dev/null || echo -ftrivial-auto-var-init=pattern
}

# Tests that fail say more where they pass with one thread, or where all outputs begin as 0, or change with what fresh memory holds:
# tests/support/verdict/notes.h.
further_runs() { # further_runs NN-name/exercise
    one= zeros= filled=
    race_run "$1" &
    if uses_threads "$1"; then
        one=$ran/$1-one-thread
        ln -f "$ran/$1" "$one"
        CHECK_BITS=1 OMP_NUM_THREADS=1 limited_tests "$one" &
    fi
    if grep -q ' is wrong in [0-9]* of [0-9]* places' "$ran/$1.out"; then
        zeros=$ran/$1-zeros
        ln -f "$ran/$1" "$zeros"
        CHECK_ZEROS=1 CHECK_BITS=1 OMP_NUM_THREADS=2 limited_tests "$zeros"
    fi
    if ! grep -q '^ran out of time' "$ran/$1.out" &&
        FILLED=$(filled_variables) link_variant "$LEARNER/$1.c" "$1" "$ran/$1-filled"; then
        filled=$ran/$1-filled # and what malloc gives: glibc's way to have bytes of 127 in it
        MALLOC_PERTURB_=128 CHECK_BITS=1 OMP_NUM_THREADS=1 limited_tests "$filled"
    fi
    wait
    verdict notes output="$ran/$1.out" one="${one:+$one.out}" zeros="${zeros:+$zeros.out}" filled="${filled:+$filled.out}" \
        races="$ran/$1.races" >"$ran/$1.notes"
}

# A crash that has lost its stack, or comes later in the test itself: AddressSanitizer may still know the line. Where it does not (a
# call of NULL), the test's own words say more.
crashed_nowhere() { failures "$ran/$1" | grep '^[a-z0-9_]*: crashed with SIG' | grep -qvF " $LEARNER/$1.c:"; }
crashed_somewhere() { [ -f "$scratch/1/$1.out" ] && failures "$scratch/1/$1" | grep -q "/${1##*/}\.c:[0-9]"; }

# Where a thread reads or writes outside of its array, it meets what is another's: that is no race to be told of.
memory_error() { grep -qsE "$STOPPED" "$scratch/1/$1.out"; }

# What was found in further runs fails the tests of the first that passed.
let_fail() { # let_fail NN-name/exercise found|races
    verdict fails output="$ran/$1.out" said="$ran/$1.$2" >"$scratch/out" && mv "$scratch/out" "$ran/$1.out"
    verdict fails tap=1 output="$ran/$1.tap" said="$ran/$1.$2" >"$scratch/tap" && mv "$scratch/tap" "$ran/$1.tap"
}

# make with the flags of a sanitizer, which builds all but the exercise once: what runs there is in $scratch/SANITIZE. With
# NO_SANITIZERS=1 nothing does: what make check says then is what a page can say (tests/book/verdicts.js).
with_sanitizer() { # with_sanitizer 1|thread NN-name/exercise
    [ -z "${NO_SANITIZERS:-}" ] || return 0
    RAN=$scratch/$1 MAKEFLAGS='' make -s -j"$JOBS" SANITIZE="$1" EX="${2#*/}" "again-${2%%-*}" 3>&2 >"$scratch/$1.make" 2>"$scratch/$1.said" || {
        echo "make: the tests were not built with the sanitizers: $(grep -v '^make: \*\*\*' "$scratch/$1.said" | tail -n 1)" >&2
    }
}

# And under the sanitizers, where memory is filled with what no number is.
sanitized_run() { # sanitized_run NN-name/exercise
    [ -n "${SANITIZE:-}" ] || with_sanitizer 1 "$1"
}

# What fails there stands in the place of the tests that passed.
sanitized_verdict() { # sanitized_verdict NN-name/exercise
    binary_again=$scratch/1/$1
    [ -f "$binary_again.out" ] || return
    if [ -z "$(real_failures "$binary_again")" ]; then
        with_lines "$binary_again" >"$binary_again.lines"
        verdict leaks output="$binary_again.lines" file="$1.c" >"$ran/$1.found"
        let_fail "$1" found
        return
    fi
    for what in out tap also; do cp "$binary_again.$what" "$ran/$1.$what"; done
    cp "$binary_again" "$ran/$1"
}

# A sanitizer may be missing, and LeakSanitizer must be allowed to stop a process: tried once.
works() { # works NAME FLAG
    if [ ! -f "$B/$1" ]; then
        echo 'int main(void) { return 0; }' | $CC "$2" -x c - -o "$ran/none" 2>/dev/null && "$ran/none" 2>/dev/null
        echo $? >"$ran/$1" && mv "$ran/$1" "$B/$1"
    fi
    [ "$(cat "$B/$1")" = 0 ]
}
finds_leaks() { ASAN_OPTIONS=detect_leaks=1 works finds-leaks -fsanitize=address; }

# Two threads that write to one place are found whatever their timing, where the exercise has threads of its own: to
# NN-name/exercise.races, "test: what is wrong".
uses_threads() { nm "$ran/$1.o" | grep -qE ' (GOMP_|omp_|__kmpc_)'; }
race_run() { # race_run NN-name/exercise
    raced=$scratch/thread/$1
    : >"$ran/$1.races"
    [ -z "${SANITIZE:-}" ] && uses_threads "$1" && ! grep -q '^ran out of time' "$ran/$1.out" || return
    if ! works finds-races -fsanitize=thread || nm "$ran/$1.o" | grep -q ' __kmpc_'; then
        skipped_races "that takes gcc's OpenMP, and a ThreadSanitizer that works here"
        return
    fi
    with_sanitizer thread "$1"
    if [ -s "$raced.unknown" ]; then
        skipped_races "it knows parallel loops, and not $(head -n 1 "$raced.unknown")"
    elif [ -f "$raced.out" ]; then
        verdict races output="$raced.out" source="$LEARNER/$1.c" >"$ran/$1.races"
    fi
}
skipped_races() {
    [ -f "$scratch/skipped-races" ] || echo "make: skipped: the search for threads that write to the same place: $1" >&2
    : >"$scratch/skipped-races"
}

# The part of these runs in the make of their flags.
again() {
    scratch=$RAN ran=$RAN
    mkdir -p "$ran"
    CHECK_SECONDS=$((10 * CHECK_SECONDS))
    e=$chapter/$name
    if [ "${SANITIZE:-}" = thread ]; then
        ulimit -t "$CHECK_SECONDS"
        RUN="timeout 100" find_races "$LEARNER/$e.c" "$e" "$ran/$e"
        return
    fi
    FILLED="$(filled_variables) -fsanitize=float-cast-overflow -fno-sanitize-recover=float-cast-overflow"
    compile_variant "$LEARNER/$e.c" "$e" "$ran/$e" || { cat "$ran/$e.log" >&2; exit 1; }
    options=max_malloc_fill_size=1000000000:detect_stack_use_after_return=1
    if finds_leaks; then options=$options:detect_leaks=1:leak_check_at_exit=0 && export CHECK_LEAKS=1; fi
    nothing_found "$e" "$ran/$e" $options || { link_object "$e" "$ran/$e" && sanitized_tests "$ran/$e" $options; }
    echo ", where fresh memory is filled: a variable or an array is used before it is written" >"$ran/$e.also"
}

# To start Criterion's process takes longer than most tests do, above all under a sanitizer. So the tests run without Criterion first:
# right code has passed by then.
pass_lite() { # pass_lite BINARY, of test_harness.c
    (export CHECK_SECONDS CHECK_ENDLESS="$1.endless" && run_lite "$1")
    grep -q '^1\.\.' "$1.tap" && [ "$(failed "$1")" = 0 ]
}
nothing_found() { # nothing_found NN-name/exercise BINARY OPTIONS
    link_object "$1" "$2" "$B/tests/harness/test_harness.o" && ASAN_OPTIONS=$3$(nameless) pass_lite "$2" && ! grep -qE "$STOPPED" "$2.out"
}

# To name functions and lines takes a sanitizer longer than the tests, most of it for memory that tests leave behind. So the tests run
# without names first; where one was stopped, once more, with them.
nameless() { ! command -v addr2line >/dev/null || echo :symbolize=0; }
sanitized_tests() { # sanitized_tests BINARY OPTIONS
    nameless=$(nameless)
    ASAN_OPTIONS=$2$nameless limited_tests "$1"
    [ -n "$nameless" ] && grep -qE "$STOPPED" "$1.out" || return
    ln -f "$1" "$1-named"
    ASAN_OPTIONS=$2 limited_tests "$1-named"
    ! grep -qE "$STOPPED" "$1-named.out" || for what in out tap; do cp "$1-named.$what" "$1.$what"; done
}

# What BINARY has printed, with the lines of its addresses.
with_lines() { # with_lines BINARY
    sed -n "s|^ *#.*/${1##*/}+\(0x[0-9a-f]*\))\$|\1|p" "$1.out" | sort -u >"$1.addresses"
    [ -s "$1.addresses" ] || { cat "$1.out" && return; }
    addr2line -i -a -e "$1" <"$1.addresses" | awk '
        NR == FNR && /^0x/ { sub(/^0x0*/, ""); at = $0; next }
        NR == FNR { sub(/ \(discriminator.*/, ""); lines[at] = lines[at] "    #1 at " $0 "\n"; next }
        match($0, /\+0x[0-9a-f]+\)$/) && (place = substr($0, RSTART + 3, RLENGTH - 4)) in lines { printf "%s", lines[place]; next }
        { print }' - "$1.out"
}

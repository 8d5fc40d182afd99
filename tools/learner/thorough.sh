# The part of exercise.sh for what make check does beyond one run of the tests: other numbers of
# threads, the sanitizers, and where tests fail, runs that say why.

STOPPED='ERROR: AddressSanitizer|runtime error: '

# begin_thorough NN-name/exercise: what finds races and wrong uses of memory is built while the
# tests run. $racing and $sanitizing are the processes that do it. The first time, a
# sanitizer's build takes long: then the second waits until tests pass.
begin_thorough() {
    racing='' sanitizing=''
    : >"$ran/$1.races"
    [ -n "$thorough" ] && has_sanitizers || return 0
    if can_race "$1"; then
        with_sanitizer thread "$1" &
        racing=$!
    fi
    if [ -f "$B/rest/$1.sanitized" ]; then
        with_sanitizer 1 "$1" &
        sanitizing=$!
    fi
}

# thorough_check NN-name/exercise [right]: behind a run of the tests, which all passed or did not.
# What is found fails the tests that it was found in; of races the rest is only what follows.
thorough_check() {
    if [ -n "$2" ]; then
        thread_run "$1" 1 &
        thread_run "$1" 3 &
        together_run "$1" &
        if is_built_to_race "$1"; then race_run "$1" & fi
        if is_sanitized "$1"; then sanitized_run "$1" & fi
        wait
        compare_threads "$1"
        compare_together "$1"
        ! memory_error "$1" || : >"$ran/$1.races"
        let_fail "$1" races
        let_fail "$1" found
        [ -s "$ran/$1.races" ] || sanitized_verdict "$1"
    else
        one_thread_run "$1" &
        runs=$!
        { zeros_run "$1"; filled_run "$1"; } &
        runs="$runs $!"
        if is_built_to_race "$1"; then
            race_run "$1" &
            runs="$runs $!"
        fi
        wait $runs # and not for $sanitizing, whose exit code is_sanitized asks for
        note_runs "$1"
        if crashed_nowhere "$1" && is_sanitized "$1"; then
            sanitized_run "$1"
            ! crashed_somewhere "$1" || sanitized_verdict "$1"
            rm -f "$ran/$1.also"
        fi
        let_fail "$1" races
    fi
}

# Of tests that have passed once: a limit of time tells of a busy machine only.
real_failures() { failures "$@" | grep '^[a-z0-9_]*: ' | grep -v ': ran out of time: '; }

# again_as NN-name/exercise NAME: what ran once more, in a place of its own; prints it.
again_as() {
    ln -f "$ran/$1" "$ran/$1-$2" && echo "$ran/$1-$2"
}

# Tests that pass do so with 1 and with 3 threads too, and every number has the same bytes then.
thread_run() { # thread_run NN-name/exercise THREADS
    CHECK_BITS=1 OMP_NUM_THREADS=$2 limited_tests "$(again_as "$1" "$2-threads")"
}
compare_threads() { # compare_threads NN-name/exercise
    for threads in 1 3; do
        on=$ran/$1-$threads-threads
        with="with $threads $([ $threads = 1 ] && echo thread || echo threads)"
        verdict bits output="$ran/$1.out" other="$on.out" threads="$with than with 2"
        echo ", $with" >"$on.also"
        real_failures "$on"
    done >"$ran/$1.found"
}

# limit_computing: of what follows, unless it is limited to less.
limit_computing() { ulimit -t $((10 * CHECK_SECONDS)) 2>/dev/null || :; }

# Each test ran in a process of its own. Those that pass do so, too, where another has called
# before.
together_run() { # together_run NN-name/exercise
    binary=$(again_as "$1" together)
    (limit_computing && HOW=--together OMP_NUM_THREADS=2 run_lite "$binary")
}
compare_together() { # compare_together NN-name/exercise
    real_failures "$ran/$1-together" | sed 's/;.*//
        s/: \(.*\)/: right alone, wrong after another call: is a variable static? (\1)/' \
        >>"$ran/$1.found"
}

# Fills uninitialized local variables with a pattern that is no number, where the compiler can.
filled_variables() {
    ! works fills-variables -ftrivial-auto-var-init=pattern || echo -ftrivial-auto-var-init=pattern
}

# Tests that fail say more where they pass with one thread, or where all outputs begin as 0, or
# change with what fresh memory holds: tests/support/verdict/notes.h. Each of these takes
# NN-name/exercise.
one_thread_run() {
    uses_threads "$1" || return 0
    ! is_endless "$1" || CHECK_SECONDS=1
    CHECK_BITS=1 OMP_NUM_THREADS=1 limited_tests "$(again_as "$1" one-thread)"
}
zeros_run() {
    ! grep -q ' is wrong in [0-9]* of [0-9]* places' "$ran/$1.out" ||
        CHECK_ZEROS=1 CHECK_BITS=1 OMP_NUM_THREADS=2 limited_tests "$(again_as "$1" zeros)"
}
filled_run() { # and what malloc gives: glibc's way to have bytes of 127 in it
    ! is_endless "$1" || return
    FILLED=$(filled_variables) link_variant "$LEARNER/$1.c" "$1" "$ran/$1-filled" &&
        MALLOC_PERTURB_=128 CHECK_BITS=1 OMP_NUM_THREADS=1 limited_tests "$ran/$1-filled"
}
note_runs() {
    verdict notes output="$ran/$1.out" one="$ran/$1-one-thread.out" zeros="$ran/$1-zeros.out" \
        filled="$ran/$1-filled.out" races="$ran/$1.races" >"$ran/$1.notes"
}
is_endless() { grep -qE '^ran out of time|: Timed out: |SIGXFSZ, having' "$ran/$1.out"; }

# A crash that has lost its stack, or comes later in the test itself: AddressSanitizer may still
# know the line. Where it does not (a call of NULL), the test's own words say more.
crashed_nowhere() {
    failures "$ran/$1" | grep '^[a-z0-9_]*: crashed with SIG' | grep -qvF " $LEARNER/$1.c:"
}
crashed_somewhere() {
    [ -f "$scratch/1/$1.out" ] && failures "$scratch/1/$1" | grep -q "/${1##*/}\.c:[0-9]"
}

# Where a thread reads or writes outside of its array, it meets what is another's: that is no race
# to be told of.
memory_error() { grep -qsE "$STOPPED" "$scratch/1/$1.out"; }

# Findings of further runs fail the tests that passed in the first.
let_fail() { # let_fail NN-name/exercise found|races
    verdict fails output="$ran/$1.out" said="$ran/$1.$2" >"$scratch/out" &&
        verdict fails tap=1 output="$ran/$1.tap" said="$ran/$1.$2" >"$scratch/tap" || return
    for what in out tap; do mv "$scratch/$what" "$ran/$1.$what"; done
}

# Not where the tests already are those of a sanitizer's build, and with NO_SANITIZERS=1: what make
# check says then is what a page can say (tests/book/verdicts.js).
has_sanitizers() { [ -z "${SANITIZE:-}${NO_SANITIZERS:-}" ]; }

# make with the flags of a sanitizer, which builds all but the exercise once: what is linked there
# is in $scratch/SANITIZE.
with_sanitizer() { # with_sanitizer 1|thread NN-name/exercise
    said=$scratch/$1.said
    : >"$said"
    show_count "$said" '^  compile ' "files built for sanitizers" 3>&2 &
    counting=$!
    RAN=$scratch/$1 MAKEFLAGS='' make -s -j"$JOBS" SANITIZE="$1" EX="${2#*/}" "again-${2%%-*}" \
        3>&2 >"$scratch/$1.make" 2>"$said"
    built=$?
    kill $counting 2>/dev/null
    [ $built != 0 ] || return 0
    why=$(grep -v '^make[^:]*: \*\*\*' "$said" | tail -n 1)
    echo "make: the tests were not built with the sanitizers: $why" >&2
    return 1
}

# The part of this in the make of their flags.
again() {
    e=$chapter/$name
    mkdir -p "$RAN"
    if [ "${SANITIZE:-}" = thread ]; then
        build_to_race "$LEARNER/$e.c" "$e" "$RAN/$e" || [ -s "$RAN/$e.unknown" ]
        return
    fi
    casts=float-cast-overflow
    FILLED="$(filled_variables) -fsanitize=$casts -fno-sanitize-recover=$casts"
    link_variant "$LEARNER/$e.c" "$e" "$RAN/$e" || { cat "$RAN/$e.log" >&2; exit 1; }
}

# is_sanitized NN-name/exercise: waits for the build.
is_sanitized() {
    has_sanitizers || return
    if [ -n "$sanitizing" ]; then
        wait "$sanitizing"
    else
        with_sanitizer 1 "$1" && : >"$B/rest/$1.sanitized"
    fi
}

# The tests under the sanitizers, where memory is filled with what no number is.
sanitized_run() { # sanitized_run NN-name/exercise
    sanitized=$scratch/1/$1
    CHECK_SECONDS=$((10 * CHECK_SECONDS))
    options=max_malloc_fill_size=1000000000
    has_nested_functions "$1" || options=$options:detect_stack_use_after_return=1
    if finds_leaks; then
        options=$options:detect_leaks=1:leak_check_at_exit=0 && export CHECK_LEAKS=1
    fi
    sanitized_tests "$sanitized" $options
    unwritten="a variable or an array is used before it is written"
    echo ", where fresh memory is filled: $unwritten" >"$sanitized.also"
}

# What gcc makes for a nested function whose address is taken is a function on the stack:
# AddressSanitizer's own for detect_stack_use_after_return cannot be executed.
has_nested_functions() {
    readelf -SW "$ran/$1.o" 2>/dev/null | grep -qE '\.note\.GNU-stack .* X +[0-9]'
}

# To name functions and lines takes a sanitizer longer than the tests, most of it for memory that
# tests leave behind. So the tests run without names first; where one was stopped, once more, with
# them.
sanitized_tests() { # sanitized_tests BINARY OPTIONS
    nameless=$(! command -v addr2line >/dev/null || echo :symbolize=0)
    ASAN_OPTIONS=$2$nameless limited_tests "$1"
    [ -n "$nameless" ] && grep -qE "$STOPPED" "$1.out" || return
    ln -f "$1" "$1-named"
    ASAN_OPTIONS=$2 limited_tests "$1-named"
    grep -qE "$STOPPED" "$1-named.out" || return
    for what in out tap; do cp "$1-named.$what" "$1.$what"; done
}

# Failures under a sanitizer replace the results of the first run, if all tests had passed.
sanitized_verdict() { # sanitized_verdict NN-name/exercise
    binary_again=$scratch/1/$1
    [ -f "$binary_again.out" ] || return
    if [ -z "$(real_failures "$binary_again")" ]; then
        why="AddressSanitizer cannot start here (is memory limited? ulimit -v)"
        ended "$binary_again" || skipped "the search for wrong uses of memory: $why" || return
        with_lines "$binary_again" >"$binary_again.lines"
        verdict leaks output="$binary_again.lines" file="$1.c" >"$ran/$1.found"
        let_fail "$1" found
        return
    fi
    for what in out tap also; do cp "$binary_again.$what" "$ran/$1.$what"; done
    cp "$binary_again" "$ran/$1"
}

# A flag may be unknown to the compiler, a sanitizer be missing, and LeakSanitizer must be allowed
# to stop a process: tried once for each limit of memory, NAME begins that of the file that has the
# answer.
works() { # works NAME FLAG
    answer=$B/$1-$(ulimit -v)
    if [ ! -f "$answer" ]; then
        echo 'int main(void) { return 0; }' | $CC "$2" -x c - -o "$B/$1.$$" 2>/dev/null &&
            "$B/$1.$$" 2>/dev/null
        echo $? >"$B/$1.$$" && mv "$B/$1.$$" "$answer"
    fi
    [ "$(cat "$answer")" = 0 ]
}
finds_leaks() { ASAN_OPTIONS=detect_leaks=1 works finds-leaks -fsanitize=address; }

# Data races are found independent of timing, where the exercise has threads of its own, with gcc's
# OpenMP, or has variables that outlive a call and may be called by several threads.
uses_threads() { grep -qE ' _?(GOMP_|omp_|__kmpc_)' "$ran/$1.nm"; }
variables_of() { sed -n 's/^[0-9a-f]* [bBdD] //p' "$ran/$1.nm" | tr '\n' ' '; }
is_shared() {
    [ -n "$(variables_of "$1")" ] || return
    headers=$(sed -n 's|^#include "\([0-9].*\)"|chapters/\1|p' "$B/tests/$1.inputs.h")
    cat /dev/null $headers | tr -s ' *\n' ' ' | grep -q 'Several threads may call it at once\.'
}
can_race() { # can_race NN-name/exercise
    uses_threads "$1" || is_shared "$1" || return
    works finds-races -fsanitize=thread && ! grep -qE ' _?__kmpc_' "$ran/$1.nm" && return
    skipped_races "that takes gcc's OpenMP, and a ThreadSanitizer that works here"
}
# is_built_to_race NN-name/exercise: waits for the build.
is_built_to_race() {
    [ -n "$racing" ] && wait "$racing" && ! is_endless "$1" || return
    [ ! -s "$scratch/thread/$1.unknown" ] ||
        skipped_races "it knows parallel loops, and not $(head -n 1 "$scratch/thread/$1.unknown")"
}

# NN-name/exercise.races says "test: what is wrong".
race_run() { # race_run NN-name/exercise
    raced=$scratch/thread/$1
    ! is_shared "$1" || HOW=--threads
    (limit_computing && RUN=$(! command -v timeout >/dev/null || echo timeout 100) race "$raced")
    verdict races output="$raced.out" source="$LEARNER/$1.c" variables="$(variables_of "$1")" \
        >"$ran/$1.races"
    [ -s "$ran/$1.races" ] || ended "$raced" ||
        skipped_races "ThreadSanitizer cannot start here, or comes to no end"
}
skipped_races() { skipped "the search for threads that write to the same place: $1"; }
skipped() { # skipped WHAT: said once, always false
    grep -qsxF "$1" "$scratch/skipped" || echo "make: skipped: $1" >&2
    echo "$1" >>"$scratch/skipped"
    return 1
}
# ended BINARY: its tests came to their end.
ended() { grep -qs '^1\.\.' "$1.tap"; }

# The output of BINARY, with source lines for its addresses.
with_lines() { # with_lines BINARY
    sed -n "s|^ *#.*/${1##*/}+\(0x[0-9a-f]*\))\$|\1|p" "$1.out" | sort -u >"$1.addresses"
    [ -s "$1.addresses" ] || { cat "$1.out" && return; }
    addr2line -i -a -e "$1" <"$1.addresses" | awk '
        NR == FNR && /^0x/ { sub(/^0x0*/, ""); at = $0; next }
        NR == FNR {
            sub(/ \(discriminator.*/, "")
            lines[at] = lines[at] "    #1 at " $0 "\n"
            next
        }
        { place = match($0, /\+0x[0-9a-f]+\)$/) ? substr($0, RSTART + 3, RLENGTH - 4) : "" }
        place in lines { printf "%s", lines[place]; next }
        { print }' - "$1.out"
}

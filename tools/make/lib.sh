# Shared by the scripts of tools/; run from the project's root. $B is the build directory (make
# print-build), and make exports CC, ALL_FLAGS, INCLUDES and EXERCISES.
set -u
# Numbers have points, text sorts by bytes and messages are English in every locale of the user.
export LC_ALL=C
# A make that a script starts takes what was typed from the environment (Makefile).
export COURSE_MAKE=yes
# cd would print where it goes.
unset CDPATH
. tools/learner/clock.sh

JOBS=${JOBS:-$(tools/learner/cores.sh)}
SECONDS_PER_TEST=${SECONDS_PER_TEST:-120}
# Seconds of computing after which a test of an exercise is in an endless loop: the slowest one
# needs 1.
CHECK_SECONDS=${CHECK_SECONDS:-3}
# Where the learner's files are.
LEARNER=${LEARNER:-exercises}
# Several tests run at a time: a thread that waits shall not keep a processor busy.
export OMP_WAIT_POLICY=passive

# has_modules: node's modules are there, and as tools/book/package-lock.json names them now.
has_modules() { [ tools/book/node_modules/.package-lock.json -nt tools/book/package-lock.json ]; }

# a_chromium: the browser that this machine has.
a_chromium() { command -v chromium || command -v chromium-browser; }

# has_terminal [FILE]: standard error, or FILE, is a terminal that can write over a line: not
# Emacs's, which says that it is dumb.
has_terminal() { [ -t "${1:-2}" ] && [ "${TERM:-dumb}" != dumb ]; }

# show_count FILE EXPRESSION WORDS: until it is killed, how many lines of FILE match, on
# descriptor 3, where that is a terminal.
show_count() {
    has_terminal 3 || return 0
    while sleep 1 && kill -0 $$; do printf '\r  %s %s\033[K' "$(grep -c "$2" "$1")" "$3" >&3; done
}

# in_columns: a text in lines of 79 columns at most, of which further ones are indented.
in_columns() { fold -s -w 77 | sed 's/ *$//; 2,$s/^/  /'; }

# make_scratch: a directory $scratch, which is gone when the script ends, however it ends.
make_scratch() {
    expect_writable "${TMPDIR:-/tmp}"
    scratch=$(mktemp -d) || exit 1
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' HUP INT TERM
}

# expect_writable DIRECTORY: makes it where it is missing; ends the script where nothing can be
# written to it, or less than 4 MB.
expect_writable() {
    mkdir -p "$1" 2>/dev/null && [ -w "$1" ] && has_room "$1/room.$$" && return
    echo "make: cannot write to $1: is it yours, not read-only, and not full?" >&2
    exit 1
}
has_room() {
    dd if=/dev/zero of="$1" bs=65536 count=64 2>/dev/null
    set -- $? "$1"
    rm -f "$2"
    return "$1"
}

# clang can build what make fuzz runs.
has_libfuzzer() {
    printf '%s\n' 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n)' \
        '{ return d && n > 9; }' |
        clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null 2>/dev/null
}

# Another processor, under an emulator.
ARM64_CC=aarch64-linux-gnu-gcc
arm64_emulator() { command -v qemu-aarch64 || command -v qemu-aarch64-static; }

# The exercises of a chapter as "NN-name/exercise", or of all chapters that are built here.
exercises_of() { printf '%s\n' $EXERCISES | grep "^${1:+$1/}"; }

# The exercises of a chapter, or of all, that have an attack (tools/learner/attack.sh).
with_attack() {
    exercises_of "${1:-}" | while read -r e; do [ ! -f "tests/$e.attack.c" ] || echo "$e"; done
}

# "01-layernorm-vs-batchnorm/layernorm" -> "01/layernorm"
short_name() { echo "$1" | sed 's|^\([0-9]*\)-[^/]*/|\1/|'; }

# is_among NAME NAME...: the first is one of the others.
is_among() {
    sought=$1
    shift
    for one in "$@"; do [ "$one" != "$sought" ] || return 0; done
    return 1
}

# expect_exercise CHAPTER NAME: ends the script where EX=NAME is none of the chapter's.
expect_exercise() {
    is_among "$1/$2" $(exercises_of "$1") && return
    echo "make: EX=$2: no such exercise in $1; there are:" \
        "$(exercises_of "$1" | sed 's|.*/||' | tr '\n' ' ')" | in_columns >&2
    exit 2
}

# The open problems of a chapter as "NN-name/problems/name", or of all chapters.
problems_of() { printf '%s\n' $PROBLEMS | grep "^${1:+$1/}"; }

# expect_problem CHAPTER NAME: ends the script where P=NAME is none of the chapter's.
expect_problem() {
    is_among "$1/problems/$2" $(problems_of "$1") && return
    echo "make: P=$2: no such open problem in $1; there are:" \
        "$(problems_of "$1" | sed 's|.*/||' | tr '\n' ' ')" | in_columns >&2
    exit 2
}

# statement NN-name/problems/X: "NN/X STARS what is claimed", from the first comment of
# chapters/NN-name/problems/X.h.
statement() {
    awk '{ sub(/^ \* /, " "); text = text $0 } /\*\/$/ { print text; exit }' "chapters/$1.h" |
        sed -n 's|^/\* Open problem \([^ ]*\) (\(\**\)): \(.*\) \*/$|\1 \2 \3|p'
}

# The names of an exercise's tests, or of those of its stage STAGE: they are known even where
# nothing compiles.
test_names() {
    if [ -n "${STAGE:-}" ] && [ -f "$(stages_of "$1")" ]; then
        stage_tests "$1" "$STAGE"
    else
        sed -n 's/^Test([a-z0-9_]*, \([a-z0-9_]*\).*/\1/p' "tests/$1.c"
    fi
}

# An exercise's stages, where it has any: lines "number | title | test test"
# (tests/support/verdict/stages.h).
stages_of() { echo "exercises/$1.stages"; }
stage_tests() { # stage_tests NN-name/exercise STAGE
    awk -v stage="$2" -F ' [|] ' '$1 == stage { print $3 }' "$(stages_of "$1")" | tr ' ' '\n'
}

# fit_terminal: sets $columns to those of the terminal, or 80 where the output is none.
fit_terminal() {
    columns=${COLUMNS:-}
    [ -n "$columns" ] || [ ! -t 1 ] || columns=$(stty size 2>/dev/null </dev/tty | cut -d ' ' -f 2)
    case $columns in '' | 0 | *[!0-9]*) columns=80 ;; esac
}
at_most() { if [ "$1" -lt "$2" ]; then echo "$1"; else echo "$2"; fi; }

# link_variant SOURCE EXERCISE BINARY: the exercise's tests with SOURCE in the place of the
# solution, which may not end a test by exit(). What the compiler says goes to BINARY.log: what is a
# mistake in any C, not what this project asks of its own. Its two steps are compile_variant and
# link_object EXERCISE BINARY [OBJECT...], which links more objects, too. What runs the tests is
# tests/harness/test_harness.c: run_lite.
link_variant() { compile_variant "$@" && link_object "$2" "$3"; }
compile_variant() {
    mkdir -p "$(dirname "$3")"
    { read -r compiler && read -r libraries; } <"$B/rest/$2.link"
    if is_whole_program "$2"; then
        tools/learner/whole-program.sh "$1" "$3.o" ${FILLED:-} 2>"$3.log" &&
            { [ -n "${SANITIZE:-}" ] || refuse_cheats "$1" "$3.program" "$3"; }
    else
        # So that a helper that is inline, but not static, can be seen: gcc -O0 does not find it.
        tools/learner/as-learner.sh "$3.o" "$3.needs" -- $compiler $(ordinary_flags) -O1 \
            -fgnu89-inline ${FILLED:-} $INCLUDES $NO_EXIT -MMD -MF "$3.needs" -c "$1" -o "$3.o" \
            2>"$3.log" && refuse_cheats "$1" "$3.o" "$3"
    fi && return
    rm -f "$3.o"
    return 1
}
# refuse_cheats SOURCE COMPILED BINARY: what would pass without any work is an error in the log:
# a solution that is included, what runs before the tests do, functions that end a test, become
# another program, or reach into one.
refuse_cheats() {
    cheats=$(
        for file in $(cat "$3.needs" 2>/dev/null); do
            case $file in
            ("$1") ;;
            (*solutions/[0-9][0-9]-*.c | *.right/*.c) echo "${file##*/} is a solution" ;;
            esac
        done
        nm -u "$2" | sed 's/@.*//; s/.* _*//' | grep -xE "$CHEATS" |
            sed 's|.*|`&` may not be called here|'
        ! runs_by_itself "$2" || echo "a function that nobody calls runs before the tests, or behind"
    )
    [ -n "$cheats" ] || return 0
    printf '%s\n' "$cheats" | while read -r cheat; do echo "$1: error: $cheat"; done >>"$3.log"
    return 1
}
CHEATS='criterion_.*|exec(v|ve|vp|vpe|l|le|lp|veat)|fexecve|posix_spawnp?|system|popen|syscall'
CHEATS="$CHEATS|v?fork|clone|daemon|kill|killpg|sigqueue|ptrace|prctl|mprotect|process_vm_.*"
CHEATS="$CHEATS|dl(open|mopen|sym|vsym|_iterate_phdr)|at(_quick_)?exit|on_exit|cxa_.*atexit"
# An object's constructors and the like; a program's are its own, and a sanitizer brings some.
runs_by_itself() {
    case $1$ALL_FLAGS in *.program* | *-fsanitize*) return 1 ;; esac
    readelf -SW "$1" 2>/dev/null |
        grep -qE ' \.(preinit_array|init|fini|ctors|dtors|gnu\.lto_)' || nm "$1" | grep -q ' i '
}
link_object() {
    tests=$B/rest/$1.o linked=$2
    shift 2
    $compiler "$B/tests/harness/test_harness.o" "$tests" "$linked.o" "$@" $libraries -o "$linked" \
        2>>"$linked.log" && chmod a+rx "$linked"
}
is_whole_program() { case " $WHOLE_PROGRAMS " in *" $1 "*) ;; *) return 1 ;; esac }
# The flags of a learner's file: the warnings that find mistakes (-Wall -Wextra -Wshadow), none that
# ask for a style.
ordinary_flags() {
    printf '%s\n' $ALL_FLAGS |
        grep -vE '^-W(conversion|no-sign-conversion|no-enum-float-conversion)$' | tr '\n' ' '
    echo "-Wno-unused-parameter -Werror=return-type"
}
# The header declares what the names become: a file that calls exit without <stdlib.h> is told about
# its exit, not about a function that it never heard of.
NO_EXIT="-include check/crash.h -Dexit=exit_in_test -D_exit=exit_in_test"
NO_EXIT="$NO_EXIT -D_Exit=exit_in_test -Dquick_exit=exit_in_test"

# global_names: of what nm says, the functions and variables that an object shows to other files,
# sorted. macOS writes them behind a line.
global_names() {
    awk -v mac="$([ "$(uname)" != Darwin ] || echo 1)" '
        mac { sub(/ _/, " ") }
        NF == 3 && $2 ~ /[A-Zu]/ && $3 !~ /^__(odr_)?[atu].*san/ { print $3 }' | sort
}

# mutant_edit LINE: the sed expression of a line of X.mutants, "name | test | message | expression".
mutant_edit() {
    edit=${1#* | } && edit=${edit#* | }
    printf '%s\n' "${edit#* | }"
}

# run_tests BINARY: runs tests that are linked with Criterion; writes BINARY.tap (one line "ok" or
# "not ok" a test) and BINARY.out (what was printed); its exit code is not used, the lines are.
run_tests() {
    : >"$1.tap"
    CHECK_DATA=1 "$1" --verbose --tap="$1.tap" --timeout "$SECONDS_PER_TEST" -j1 >"$1.out" 2>&1 \
        </dev/null
}

# new_secret: a number that no program can guess.
new_secret() { od -An -N8 -tx1 /dev/urandom | tr -d ' \n'; }

# run_lite BINARY: the same for a binary of test_harness.c, started by RUN, in a tenth of the time.
# The last line of TAP, "1..N", is missing if it did not reach its end. Only lines that end with a
# number that nobody else knows are the harness's. ONLY: the names of the tests
# that run; empty: all. HOW: another option of test_harness.c than --fork.
run_lite() {
    secret=$(new_secret)
    : >"$1.told" # also of a program that does not even start
    printf %s "$secret" |
        CHECK_NUMBER=1 tools/learner/as-learner.sh "$1.told" ${CHECK_ENDLESS:-} -- ${RUN:-} \
            "$1" ${HOW:---fork} --tap="$1.told" ${ONLY:-} >"$1.out" 2>&1
    code=$?
    sed -n "s/ $secret\$//p" "$1.told" >"$1.tap"
    return $code
}

# limited_tests BINARY: the same of an exercise, whose tests end after CHECK_SECONDS of computing;
# after two of those, after much less.
limited_tests() {
    rm -f "$1.endless"
    (export CHECK_DATA=1 CHECK_SECONDS CHECK_ENDLESS="$1.endless" && run_lite "$1")
}

# find_races SOURCE EXERCISE BINARY: runs the tests, of which $B has the objects for
# ThreadSanitizer, so that BINARY.out tells of two threads that use one variable, of which one
# writes. SOURCE is compiled as it stands, so that the lines are right. Nothing runs where it calls
# functions of OpenMP that tests/harness/plain_threads.c has not: BINARY.unknown. Its two steps are
# build_to_race and race.
find_races() {
    build_to_race "$@" && race "$3"
    return 0
}
build_to_race() {
    { read -r compiler && read -r libraries; } <"$B/rest/$2.link"
    mkdir -p "${3%/*}"
    tools/learner/as-learner.sh "$3.o" -- $compiler $ALL_FLAGS -O0 -w $INCLUDES $NO_EXIT \
        -fsanitize=thread -c "$1" -o "$3.o" || return
    nm "$B/tests/harness/plain_threads.o" | global_names >"$3.known"
    nm "$3.o" | awk 'NF == 2 && $2 ~ /^(GOMP|omp|__kmpc)_/ { print $2 }' | sort |
        comm -23 - "$3.known" >"$3.unknown"
    [ ! -s "$3.unknown" ] && link_object "$2" "$3" "$B/tests/harness/plain_threads.o"
}
race() {
    # Two threads that run the same test meet in the test's own variables, too.
    options=halt_on_error=1
    [ "${HOW:-}" != --threads ] || options=ignore_interceptors_accesses=1
    CHECK_RACES=1 TSAN_OPTIONS=exitcode=66:$options run_lite "$1"
}
RACE='WARNING: ThreadSanitizer: data race'

passed() { grep -c '^ok ' "$1.tap"; }
failed() { grep -c '^not ok ' "$1.tap"; }

# The reader of a run's output: tests/harness/verdict.c.
verdict() { "$B/verdict" "$@"; }

# The failures of a binary that ran, from what it printed, as "test: message" lines; below a
# failure, indented, what its test had printed. More of what verdict.c takes may follow.
failures() { # failures BINARY [KEY=VALUE...]
    tested=$1
    shift
    verdict list binary="$tested" output="$tested.out" also="$tested.also" notes="$tested.notes" \
        "$@"
}

# Makes learners' output and names, which may hold any bytes, fit for a terminal.
readable() { verdict readable; }

# pristine_stub NN-name/exercise, .../problems/X or .../X.attack: the file a learner begins with.
pristine_stub() { cat "tests/$1.stub"; }

# keep_old FILE: sets $old to a copy of it beside it, FILE.old or, if that exists, FILE.old2 ...
keep_old() {
    old=$1.old n=1
    while [ -e "$old" ]; do n=$((n + 1)) old=$1.old$n; done
    cp -p "$1" "$old"
}

# stub_files: NN-name/X.c of all that begin as a stub: exercises, attacks, open problems.
stub_files() { (cd tests && ls -- */*.stub */problems/*.stub) | sed 's|stub$|c|' | sort; }

#!/bin/sh
# debug.sh CHAPTER EXERCISE TEST: gdb on the chapter's program with the arguments in ARGS (MINE=...
# on the learner's layers) or, where EXERCISE is not empty, on the tests of the learner's file, all
# of them or TEST. Called by make, whose CC, MINE and SANITIZE hold here too. Its build is one of
# its own, at -O0 and without threads: every line is a step, and every variable has a value.
. tools/make/lib.sh
chapter=$1 exercise=$2 test=$3
variables="OPT=-O0 OPENMP="

command -v gdb >/dev/null 2>&1 || { echo "make: gdb is missing; 'make setup DEBUG=1' installs it" \
    >&2; exit 1; }
B=$(make -s $variables print-build)
if [ -n "$exercise" ]; then
    expect_exercise "$chapter" "$exercise"
    if [ -n "$test" ] && ! test_names "$chapter/$exercise" | grep -qxF -e "$test"; then
        echo "make: TEST=$test: no such test of $exercise; there are:" \
            "$(test_names "$chapter/$exercise" | tr '\n' ' ')" >&2
        exit 2
    fi
    binary=$B/debug/$chapter/$exercise yours=$chapter/$exercise
    ARGS=$test
    export ARGS
else
    binary=$B/$MINE_KEY/$chapter yours=$YOURS
fi
make -s -j"$JOBS" $variables "$binary" || exit 1

# gdb stops at what the learner's files define, or in main where none of the program is theirs;
# where an error ends the program; and at a check that fails, where it goes up to the line of the
# test.
stops=$(for e in $yours; do nm -g "$B/$LEARNER/$e.o" | sed -n 's/.* T //p'; done)
for f in ${stops:=main} die; do echo "break $f"; done >"$B/breakpoints"
# The child becomes the program.
is_whole_program "$yours" && echo "set follow-fork-mode child" >>"$B/breakpoints"
[ -z "$exercise" ] || printf '%s\n' 'break test_failed' commands silent 'up 2' end \
    >>"$B/breakpoints"
echo "breakpoints: $(echo $stops); where an error ends the program${exercise:+ or a check fails}" |
    fold -s -w 110
echo "it is started; then next, step, print x[0], print *x@8, info locals, backtrace, up," \
    "continue, run, quit"
DEBUGINFOD_URLS='' exec tools/learner/run.sh gdb -q -x "$B/breakpoints" -ex run --args "$binary"

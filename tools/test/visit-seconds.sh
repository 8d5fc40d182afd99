#!/bin/sh
# visit-seconds.sh: the seconds that the README tells of a first visit, measured in a new clone of
# what is committed: make tour, a chapter's first check and the next, and with LONG=1 also make test
# and make book. For an idle machine on which all packages are installed.
. tools/make/lib.sh
make_scratch
git clone -q . "$scratch/course" && cd "$scratch/course" || exit 1

# timed GOAL...: in a line, how long make takes. A stub does not pass, so check fails.
timed() {
    began=$(seconds_now)
    env -u COURSE_MAKE -u MAKEFLAGS make "$@" >"$scratch/said" 2>&1
    code=$?
    awk -v a="$began" -v b="$(seconds_now)" -v what="make $*" -v code=$code 'BEGIN {
        s = int(b - a + 0.5)
        printf "%-12s %2d:%02d%s\n", what, s / 60, s % 60, code ? " (exit code " code ")" : ""
    }'
}

solution=01-layernorm-vs-batchnorm/layernorm.c
cp "solutions/$solution" "exercises/$solution"
timed check-01
timed check-01
git checkout -q exercises && git clean -qxdf
timed tour
[ -z "${LONG:-}" ] || { timed test && timed book; }

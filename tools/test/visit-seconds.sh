#!/bin/sh
# visit-seconds.sh: how long a learner waits, in a new clone of what is committed: for each command
# its seconds, the longest silence in its terminal, the seconds of computing, and the two bounds of
# the first two; exit code 1 where one is passed. LONG=1: also make tour, make test and make book.
# For an idle machine on which all packages are installed; a compiler that remembers (ccache) does
# not count.
. tools/make/lib.sh
export CCACHE_DISABLE=1
SILENCE=10
command -v script >/dev/null || { echo "visit-seconds.sh: needs script (util-linux)" >&2; exit 1; }
make_scratch
git clone -q . "$scratch/course" && cd "$scratch/course" || exit 1

# timed MOST TEXT GOAL...: a line of the table; MOST seconds, or -. (Of a line of `times`, the last
# one tells what other processes have computed.)
over=0
timed() {
    most=$1 what=$2
    shift 2
    began=$(seconds_now)
    times >"$scratch/before"
    env -u COURSE_MAKE -u MAKEFLAGS TERM=xterm script -q -e -T "$scratch/times" \
        -c "make $*" "$scratch/said" >/dev/null 2>&1 </dev/null
    code=$?
    times >"$scratch/after"
    { tail -n 1 "$scratch/before" && tail -n 1 "$scratch/after" && cat "$scratch/times"; } | awk \
        -v a="$began" -v b="$(seconds_now)" -v most="$most" -v still="$SILENCE" \
        -v what="make $*" -v text="$what" -v code=$code '
        NR <= 2 { split($0, t, /[ms ]+/); cpu = 60 * (t[1] + t[3]) + t[2] + t[4] - cpu; next }
        { if ($1 > silence) silence = $1 }
        END {
            over = (most != "-" && b - a > most) || silence > still
            printf "%-23s %-23s %6.1f %3s %7.1f %2d %5.1f%s\n", what, text, b - a, most, silence,
                still, cpu, over ? " over" : code ? " (" code ")" : ""
            exit over
        }' || over=1
}

printf '%-23s %-23s %6s %3s %7s %2s %5s\n' "" "" seconds most silence "" CPU
exercise=01-layernorm-vs-batchnorm/layernorm
written=exercises/$exercise.c
timed - "a chapter's first check" check-01
timed 2 "again" check-01
cp "solutions/$exercise.c" "$written"
timed - "right, first time" check-01 EX=layernorm
timed 2 "right, again" check-01 EX=layernorm
sed 's/variance + (double)eps/variance/' "solutions/$exercise.c" >"$written"
timed 2 "wrong" check-01 EX=layernorm
timed 2 "wrong, again" check-01 EX=layernorm
timed 2 "" next
git checkout -q exercises
timed - "all, first time" -s
timed 2 "nothing to do" -s
echo >>chapters/07-attention/attention.c
timed 10 "one file edited" -s
[ -z "${LONG:-}" ] || for goal in tour test book; do timed - "" $goal; done
exit $over

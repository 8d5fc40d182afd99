#!/bin/sh
# as-learner.sh [FILE...] -- COMMAND...: what compiles a learner's file, or runs it. Where make
# grade has taken what was handed in (FROM=, grade.sh), COMMAND belongs to GRADE_UID, a user without
# an account and without rights: it writes the FILEs, which are the project's again when it ends,
# and no other file of the course's, and has limits. Elsewhere it is a learner's own.
#
#   as-learner.sh end    ends what is left of that user's processes
[ "$1" != end ] ||
    exec setpriv --reuid="$GRADE_UID" --regid="$GRADE_UID" --clear-groups sh -c 'kill -KILL -1'

files=
while [ "$1" != -- ]; do
    files="$files $1"
    shift
done
shift
[ -n "${GRADE_UID:-}" ] || exec "$@"
umask 022

for file in $files; do
    : >"$file" && chown "$GRADE_UID" "$file"
    directory=${file%/*}
    while [ "$directory" != build ] && [ "$directory" != "$PWD/build" ]; do
        chmod go+x "$directory"
        directory=${directory%/*}
    done
done
# A sanitizer reserves more addresses than there is memory, and limits itself.
memory=--as=4294967296 limit=hard_rss_limit_mb=3000
[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || memory=
[ -z "${ASAN_OPTIONS:-}" ] || export ASAN_OPTIONS="$ASAN_OPTIONS:$limit"
[ -z "${TSAN_OPTIONS:-}" ] || export TSAN_OPTIONS="$TSAN_OPTIONS:$limit"
[ "$(ulimit -f)" != unlimited ] || ulimit -f 524288 # of 512 bytes
CCACHE_DISABLE=1 setpriv --reuid="$GRADE_UID" --regid="$GRADE_UID" --clear-groups \
    --no-new-privs --inh-caps=-all --bounding-set=-all \
    prlimit --nproc=256 --core=0 $memory \
    timeout -k 1 300 "$@" 9>&-
code=$?
[ -z "$files" ] || chown 0 $files
exit $code

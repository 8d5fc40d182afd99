#!/bin/sh
# run.sh COMMAND...: runs it with the words of $ARGS behind its own. Quotes and backslashes hold a
# word together as in a shell; nothing else in ARGS means anything: no variable, no pattern of
# files, no second command.
set -u
. "${0%/*}/openmp-wait.sh"
words=$(printf 'first %s\n' "${ARGS:-}" | xargs printf '.%s\n' 2>/dev/null) || {
    printf 'make: ARGS=%s: a quote is not closed\n' "$ARGS" >&2
    exit 2
}
while IFS= read -r word; do
    case $word in .*) set -- "$@" "${word#.}" ;; esac
done <<END
${words#.first}
END
exec "$@"

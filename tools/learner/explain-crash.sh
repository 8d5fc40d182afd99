#!/bin/sh
# explain-crash.sh CODE NN: a program of chapter NN has ended with this exit code, which is kept.
# After a crash of a learner's code, tells how to find its line.
case $1 in
132) name=SIGILL ;;
134) name=SIGABRT ;;
135) name=SIGBUS ;;
136) name=SIGFPE ;;
139) name=SIGSEGV ;;
esac
if [ -n "${name:-}" ] && [ -n "${MINE:-}" ]; then
    echo "make: crashed with $name; the line: make check-$2, or this command with SANITIZE=1, or" \
        "make debug-$2 MINE=\"$MINE\"" >&2
fi
exit "$1"

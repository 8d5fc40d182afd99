#!/bin/sh
# watch.sh NN [EXERCISE]: make check-NN again whenever one of the learner's files of that chapter is
# saved, until Ctrl-C.
. tools/make/lib.sh
number=$1 exercise=${2:-}
sum() { cat "$LEARNER/$number"-*/*.c 2>/dev/null | cksum; }

trap 'echo; exit 0' INT TERM
before=
while :; do
    now=$(sum)
    if [ "$now" != "$before" ]; then
        before=$now
        ! has_terminal 1 || printf '\033[H\033[2J\033[3J'
        make -s "check-$number" EX="$exercise" 2>&1 | grep -v '^make[^:]*: \*\*\*'
        echo "checked at $(date +%H:%M:%S); save a file and it is checked again, Ctrl-C ends"
    fi
    sleep 1
done

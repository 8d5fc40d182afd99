#!/bin/sh
# watch.sh CHAPTER [EXERCISE]: make check-NN again whenever one of the learner's files of that
# chapter is saved, until Ctrl-C. Called by make with B.
. tools/make/lib.sh
chapter=$1 exercise=${2:-}
sum() { cat "$LEARNER/$chapter"/*.c 2>/dev/null | cksum; }

trap 'echo; exit 0' INT TERM
before=
while :; do
    now=$(sum)
    if [ "$now" != "$before" ]; then
        before=$now
        ! has_terminal 1 || printf '\033[H\033[2J\033[3J'
        tools/learner/build.sh "tests-${chapter%%-*}" &&
            tools/learner/exercise.sh check "$chapter" "$exercise"
        echo "checked at $(date +%H:%M:%S); save a file and it is checked again, Ctrl-C ends"
    fi
    sleep 1
done

#!/bin/sh
# next.sh: which exercise comes next, the first in the lessons' order that is not right, and what to
# read before it. From the files and the last checks (verdicts.sh) alone: nothing is built.
. tools/make/lib.sh
. tools/learner/verdicts.sh

# Of a chapter, in the order in which its lesson asks for them: **`name`** begins what it says of
# one.
in_order() { # in_order NN-name
    {
        sed -n 's/^[^*]*\*\*`\([a-z0-9_]*\)`\*\*.*/\1/p' "chapters/$1/README.md" | sed "s|^|$1/|"
        exercises_of "$1"
    } | awk 'seen[$0]++ == 0'
}

why_not_right() { # why_not_right NN-name/exercise
    if [ ! -f "$LEARNER/$1.c" ]; then
        echo "its file is missing"
    elif pristine_stub "$1" | cmp -s - "$LEARNER/$1.c"; then
        echo "not started"
    elif known_verdict "$1" >/dev/null; then
        known_verdict "$1" | { read -r _ p n && echo "$p of $n tests passed in its last check"; }
    elif [ -f "$(verdict_of "$1")" ]; then
        echo "changed since its last check"
    else
        echo "not checked yet"
    fi
}

right=0
for chapter in $(exercises_of | sed 's|/.*||' | sort -u); do
    for e in $(in_order "$chapter"); do
        [ -f "solutions/$e.c" ] || continue
        case $(known_verdict "$e") in right*) right=$((right + 1)) && continue ;; esac
        lesson=chapters/$chapter/README.md
        echo "next: $(short_name "$e"), $(why_not_right "$e")"
        echo "read: $lesson, \"$(sed -n 's/^# //p' "$lesson" | head -n 1)\", down to \"Your turn\""
        echo "edit: $LEARNER/$e.c"
        echo "then: make check-${e%%-*} EX=${e#*/}"
        exit
    done
done
echo "all $right exercises are right; make run-13 MINE=all runs GPT-2 on your code"

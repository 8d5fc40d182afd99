#!/bin/sh
# next.sh [NN-name[/EXERCISE]]: which exercise comes next, the first that is not right in the lessons'
# order, of a chapter or of all, and what to read before it. From the files and the last checks
# (verdicts.sh) alone: nothing is built.
. tools/make/lib.sh
. tools/learner/verdicts.sh

# sections_of CHAPTER: "NAME FILE HEADING" a line, in the order of the lesson and of its further
# pages, for what begins a paragraph, **`NAME`** or `NAME`, or a heading, "Exercise `NAME`". For
# exercises, the heading is that of the section that asks for them.
sections_of() {
    awk '/^##+ / {
            sub(/^#+ /, "")
            heading = $0
            gsub(/`/, "", heading)
            sub(/^Exercise /, "")
        }
        sub(/^[- *]*`/, "") { sub(/`.*/, ""); print $0, FILENAME, heading }' \
        "chapters/$1/README.md" $(ls "chapters/$1"/*.md | grep -v README)
}
in_order() { # in_order CHAPTER: its exercises
    { sections_of "$1" | sed "s|^\([^ ]*\) .*|$1/\1|" && exercises_of "$1"; } |
        awk 'seen[$0]++ == 0'
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

candidates() { # candidates [NN-name[/EXERCISE]]
    case ${1:-} in
    */*) echo "$1" ;;
    ?*) in_order "$1" ;;
    *) for chapter in $(exercises_of | sed 's|/.*||' | sort -u); do in_order "$chapter"; done ;;
    esac
}

right=0
for e in $(candidates "$@"); do
    [ -f "solutions/$e.c" ] || continue
    case $(known_verdict "$e") in right*) right=$((right + 1)) && continue ;; esac
    section=$(sections_of "${e%/*}" | sed -n "s/^${e#*/} //p" | head -n 1)
    echo "next: $(short_name "$e"), $(why_not_right "$e")"
    echo "read: ${section%% *}, down to the exercise in \"${section#* }\"" | in_columns
    echo "edit: $LEARNER/$e.c"
    echo "then: make check-${e%%-*} EX=${e#*/}"
    exit
done
echo "all $right exercises are right; make run-13 MINE=all runs GPT-2 on your code"

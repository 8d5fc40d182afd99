#!/bin/sh
# The open problems. Called by make with B, and what lib.sh needs.
#
#   problem.sh run CHAPTER NAME    the judge on the learner's file, which make has linked; 0: the
#                                  claim holds
#   problem.sh list                all problems, with stars, and what came of the last run of each
. tools/make/lib.sh

checksum() { cksum <"$LEARNER/$1.c" 2>/dev/null; }

run() { # run CHAPTER NAME
    if [ -z "$2" ]; then
        echo "make: say which open problem: $(problems_of "$1" | sed 's|.*/|P=|' | tr '\n' ' ')" |
            in_columns >&2
        exit 2
    fi
    expect_problem "$1" "$2"
    problem=$1/problems/$2
    rm -f "$B/$LEARNER/$problem.verdict"
    statement "$problem" | in_columns
    make_scratch
    judged=$B/$LEARNER/$problem
    refuse_cheats "$LEARNER/$problem.c" "$judged.o" "$scratch/judged" ||
        { cat "$scratch/judged.log" && exit 1; }
    # A file that ends the program does not know the number with which the judge ends.
    number=$(new_secret)
    chmod a+rx "$judged"
    { printf '%s\n' "$number" | JUDGE_NUMBER=1 tools/learner/as-learner.sh -- "$judged" 2>&1
      echo $? >"$scratch/code"; } | tee "$scratch/said" | grep --line-buffered -v "^$number\$" |
        while IFS= read -r line; do printf '%s\n' "$line" | in_columns; done
    if [ "$(cat "$scratch/code")" = 0 ] && grep -q '^holds: ' "$scratch/said" &&
        grep -qx "$number" "$scratch/said"; then verdict=solved; else verdict=open; fi
    echo "$verdict $(checksum "$problem")" >"$B/$LEARNER/$problem.verdict"
    [ $verdict = solved ] && echo "solved; another answer: solutions/$problem.c"
}

# The result of the last run, whose verdict lies beside the binary with the checksum of the file
# that was judged.
state() { # state NN-name/problems/X
    verdict="not judged yet" judged=$(checksum "$1")
    [ ! -f "$B/$LEARNER/$1.verdict" ] || read -r verdict judged <"$B/$LEARNER/$1.verdict"
    if grep -q 'PROBLEM_TODO(' "$LEARNER/$1.c" 2>/dev/null; then
        echo "not started"
    elif [ "$judged" = "$(checksum "$1")" ]; then
        echo "$verdict"
    else
        echo "changed since"
    fi
}

list() {
    for problem in $(problems_of); do
        statement "$problem" | { read -r name stars text &&
            printf '%-24s %-3s  %s\n' "$name" "$stars" "$(state "$problem")" &&
            echo "    $text" | in_columns; }
    done
    echo "judge one: make problem-NN P=name; read it: \"Open problems\" in the lesson, and"
    echo "chapters/NN-name/problems/name.h"
}

case $1 in
run) run "$2" "$3" ;;
list) list ;;
esac

# test-problems.sh: the part of test.sh for open problems. Each judge gets three kinds of answers: the untouched file, the
# solution, and the solution with a rule broken: a line "name | message | sed expression" of tests/mutants/NN-name/problems/X.txt.
judges() { # judges NN-name/problems/X...; $strict are variables for make
    echo "== open problems: judges take the solutions, and neither the untouched files nor broken rules"
    answers=$W/problems
    : >"$W/judged"
    for p in "$@"; do
        if [ ! -f "exercises/$p.c" ] || [ ! -f "exercises/$p.hints" ] || [ ! -f "tests/mutants/$p.txt" ]; then
            bad "$p: an open problem needs exercises/$p.c, exercises/$p.hints and tests/mutants/$p.txt"
            continue
        fi
        [ -n "$(statement "$p")" ] || bad "chapters/$p.h does not begin '/* Open problem NN/name (**): what is claimed */'"
        chapter=${p%%-*} name=${p##*/}
        grep -q "make problem-$chapter P=$name" "chapters/${p%%/*}/README.md" || bad "$p: the lesson does not say 'make problem-$chapter P=$name'"
        mkdir -p "$answers/untouched/${p%/*}" "$answers/solved/${p%/*}"
        pristine_stub "$p" >"$answers/untouched/$p.c"
        cp "solutions/$p.c" "$answers/solved/$p.c"
        printf '%s\n' "untouched|$p|claim does not hold" "solved|$p|holds: " >>"$W/judged"
        grep -v -e '^#' -e '^$' "tests/mutants/$p.txt" >"$W/cheats"
        while read -r line; do
            cheat=${line%% | *} rest=${line#* | }
            mkdir -p "$answers/$cheat/${p%/*}"
            sed "${rest#* | }" "solutions/$p.c" >"$answers/$cheat/$p.c"
            cmp -s "solutions/$p.c" "$answers/$cheat/$p.c" && bad "$p, $cheat: its sed expression changes nothing"
            echo "$cheat|$p|${rest%% | *}" >>"$W/judged"
        done <"$W/cheats"
    done
    for directory in "$answers"/*; do
        make -s -j"$JOBS" $strict LEARNER="$directory" problem-binaries >"$W/build.log" 2>&1 ||
            bad "$directory: $(grep -m 1 -E 'error|undefined|\*\*\*' "$W/build.log")"
    done
    collect problem <"$W/judged"
}

# problem "KIND|PROBLEM|MESSAGE": the judge says MESSAGE of this answer; 0 is the exit code of the solution only.
problem() {
    kind=${1%%|*} rest=${1#*|}
    p=${rest%%|*} said=$W/problems/$kind/${rest%%|*}.said
    "$B/$W/problems/$kind/$p" --threads 1 >"$said" 2>&1
    code=$?
    case $kind/$code in solved/0 | untouched/3) as_expected=yes ;; solved/* | */0) as_expected=no ;; *) as_expected=yes ;; esac
    [ "$kind" != untouched ] || grep -q "is as it was given" "$said" || as_expected="no, and nothing says that it is untouched"
    if [ "$as_expected" = yes ] && grep -qF -- "${rest#*|}" "$said"; then echo passed; else
        echo "failed $p, $kind: exit code $code ($as_expected), expected to say '${rest#*|}': $(tail -n 1 "$said")"
    fi
}

# test-problems.sh: the part of test.sh for open problems. Each judge gets three kinds of answers:
# the untouched file, the solution, and the solution with a rule broken: a line "name | message |
# sed expression" of tests/NN-name/problems/X.mutants.

# All answers of one kind, and the first, second ... broken rules of all problems, lie in a
# directory that stands in the place of exercises/: $W/answers/untouched, solved, 1, 2 ... $W/judged
# has a line "DIRECTORY|NAME|PROBLEM|MESSAGE" for each.
write_answers() { # write_answers NN-name/problems/X
    mkdir -p "$W/answers/untouched/${1%/*}" "$W/answers/solved/${1%/*}"
    pristine_stub "$1" >"$W/answers/untouched/$1.c"
    cp "solutions/$1.c" "$W/answers/solved/$1.c"
    printf '%s\n' "untouched|untouched|$1|claim does not hold" "solved|solved|$1|holds: " \
        >>"$W/judged"
    i=0
    grep -v -e '^#' -e '^$' "tests/$1.mutants" >"$W/broken"
    while read -r line; do
        i=$((i + 1)) name=${line%% | *} rest=${line#* | }
        mkdir -p "$W/answers/$i/${1%/*}"
        sed "${rest#* | }" "solutions/$1.c" >"$W/answers/$i/$1.c"
        ! cmp -s "solutions/$1.c" "$W/answers/$i/$1.c" ||
            bad "$1, $name: its sed expression changes nothing"
        echo "$i|$name|$1|${rest%% | *}" >>"$W/judged"
    done <"$W/broken"
}

complete() { # complete NN-name/problems/X: all of its files are there
    for file in "exercises/$1.c" "exercises/$1.hints" "tests/$1.mutants" \
        "chapters/$1.h" "chapters/$1.c"; do
        [ -f "$file" ] || { bad "$1: an open problem needs $file"; return 1; }
    done
    [ -n "$(statement "$1")" ] ||
        bad "chapters/$1.h does not begin '/* Open problem NN/name (**): what is claimed */'"
    command="make problem-${1%%-*} P=${1##*/}"
    grep -q "$command" "chapters/${1%%/*}/README.md" || bad "$1: the lesson does not say '$command'"
}

judges() { # judges NN-name/problems/X...; $strict are variables for make
    stage "open problems: judges take solutions, and neither untouched files nor broken rules" 60
    rm -rf "$W/answers" && : >"$W/judged"
    for p in "$@"; do if complete "$p"; then write_answers "$p"; fi; done
    for directory in "$W"/answers/*; do
        make -s -j"$JOBS" $strict LEARNER="$directory" problem-binaries >"$W/build.log" 2>&1 ||
            bad "$directory: $(grep -m 1 -E 'error|undefined|\*\*\*' "$W/build.log")"
    done
    collect answer <"$W/judged"
}

# answer "DIRECTORY|NAME|PROBLEM|MESSAGE": the judge says MESSAGE, and ends as it should.
answer() {
    directory=${1%%|*} rest=${1#*|}
    name=${rest%%|*} rest=${rest#*|}
    problem=${rest%%|*} message=${rest#*|}
    said=$W/answers/$directory/$problem.said
    "$B/$W/answers/$directory/$problem" --threads 1 >"$said" 2>&1
    code=$?
    case $name/$code in
    solved/0 | untouched/3) ;;
    solved/* | untouched/* | */0) message="another exit code than $code" ;;
    esac
    given="is as it was given"
    if [ "$name" = untouched ] && ! grep -q "$given" "$said"; then message=$given; fi
    if grep -qF -- "$message" "$said"; then echo passed; else
        echo "failed $problem, $name: expected '$message': $(tail -n 1 "$said")"
    fi
}

# The messages for a problem that is not judged yet, is solved, is changed, and that ends by an exit
# that looks like success.
problem_command() {
    files=$W/solver file=$W/solver/03-rmsnorm/problems/few_reads.c
    rm -rf "$B/$files" # the verdicts of an earlier run
    mkdir -p "$(dirname "$file")"
    cp solutions/03-rmsnorm/problems/few_reads.c "$file"
    says 0 "03/few_reads .* not judged yet" problems
    says 0 "^solved; another answer" problem-03 P=few_reads
    says 0 "03/few_reads .* solved" problems
    echo 'void *unused;' >>"$file"
    says 0 "03/few_reads .* changed since" problems
    sed -i.old 's|^float few_reads.*|&\n    exit(0);|; s|<math.h>|<stdlib.h>|; s|sqrt(|(|' "$file"
    says 2 "^03/few_reads" problem-03 P=few_reads
    says 0 "03/few_reads .* open" problems
    says 2 "say which open problem: P=few_reads P=to_rmsnorm" problem-03
    says 2 "P=nothing: no such open problem in 03-rmsnorm" problem-03 P=nothing
}

says() { # says CODE MESSAGE GOAL...: make with the solver's files
    code=$1 message=$2
    shift 2
    make -s LEARNER="$files" "$@" >"$W/said" 2>&1
    got=$?
    if [ $got = "$code" ] && grep -q -- "$message" "$W/said"; then good; else
        bad "make $*: exit code $got, expected $code and '$message': $(head -n 3 "$W/said")"
    fi
}

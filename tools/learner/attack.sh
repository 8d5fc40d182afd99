#!/bin/sh
# The learner's own tests of an exercise, EXERCISE.attack.c: they shall accept every right solution
# (solutions/NN-name/X.c, tests/NN-name/X.right) and catch the known wrong ones
# (tests/NN-name/X.mutants). Called by make with B, and what lib.sh needs.
#
#   attack.sh run CHAPTER [EXERCISE]      says of the learner's attacks what they accept and catch
#   attack.sh score NN-name/EXERCISE      the same in numbers: accepted, right ones, caught, wrong
#                                         ones; nothing if it does not compile,
#                                         and the compiler's words to standard error
#   attack.sh build NN-name/EXERCISE      makes the variants
#
# Each variant is a shared library of its own directory, made once. So an attack is compiled and
# linked once, and starts with one after the other.
. tools/make/lib.sh
# Of a processor, for one test: against an endless loop.
MOST_SECONDS=3

variants_of() { echo "$B/variants/$1"; }
wrong_lines() { grep -v -e '^#' -e '^$' "tests/$1.mutants"; }

# make_variant SOURCE LIBRARY LINK-FILE
make_variant() {
    mkdir -p "${2%/*}"
    { read -r compiler && read -r libraries; } <"$3"
    $compiler $ALL_FLAGS -O0 -g0 -w -fPIC -shared $INCLUDES $NO_EXIT "$1" -o "$2"
}

build() { # build NN-name/EXERCISE
    directory=$(variants_of "$1")
    rm -rf "$directory" && mkdir -p "$directory/right/reference" || return 1
    cp "solutions/$1.c" "$directory/right/reference/source.c"
    for file in tests/"$1".right/*.c; do
        name=$(basename "$file" .c)
        mkdir -p "$directory/right/$name" && cp "$file" "$directory/right/$name/source.c"
    done
    wrong_lines "$1" >"$directory/lines"
    while IFS= read -r line; do
        name=${line%% | *}
        mkdir -p "$directory/wrong/$name" &&
            sed "$(mutant_edit "$line")" "solutions/$1.c" >"$directory/wrong/$name/source.c"
    done <"$directory/lines"
    find "$directory" -name source.c | link=$B/rest/$1.link xargs -P "$JOBS" -n 1 \
        tools/learner/attack.sh --variant
}

# try ATTACK VARIANT: runs the attack's tests on it, each in a child, which ends after MOST_SECONDS
# of a processor. The exit code is 0 if all of them pass. A variant that does not even start is a
# mistake of ours, and no attack has caught it. The place of a variant does not tell which it is.
try() {
    install -m 755 "$2/libvariant.so" "$scratch/variant" || exit 1
    (ulimit -t $MOST_SECONDS && ulimit -f 8192 &&
        LD_LIBRARY_PATH=$scratch/variant${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
            exec tools/learner/as-learner.sh -- "$1" --fork) \
        >"$1.said" 2>&1 </dev/null
    code=$?
    case $code in 126 | 127) echo "make: $2 cannot be run: $(tail -n 1 "$1.said")" >&2 &&
        exit 1 ;; esac
    return $code
}

# link_attack NN-name/EXERCISE: the learner's attack, to $attack; what the compiler says goes to
# $attack.log.
link_attack() {
    attack=$scratch/attack
    { read -r compiler && read -r libraries; } <"$B/rest/$1.link"
    # The exercise's own test counts calls, an attack does not.
    libraries=$(echo "$libraries" | sed 's/-Wl,--wrap=[^ ]*//g')
    install -m 644 "$B/tests/$1.inputs.h" "$attack.h" &&
        tools/learner/as-learner.sh "$attack.o" -- $compiler $(ordinary_flags) -O1 $INCLUDES \
            -include "$attack.h" -c "$LEARNER/$1.attack.c" -o "$attack.o" 2>"$attack.log" &&
        $compiler "$attack.o" "$B/attack/$1.o" -rdynamic -L"$(variants_of "$1")/right/reference" \
            -lvariant $libraries -o "$attack" 2>>"$attack.log" && chmod a+rx "$attack"
}

# run_attack NN-name/EXERCISE: the linked attack on all variants. Sets accepted, right, caught,
# wrong; the first right one that is refused is in $refused, what was said of it in $attack.refused,
# and the first wrong one that passes in $missed. An attack that refuses right code has caught
# nothing.
run_attack() {
    accepted=0 right=0 caught=0 wrong=0 refused= missed=
    for variant in "$(variants_of "$1")"/right/*; do
        right=$((right + 1))
        if try "$attack" "$variant"; then
            accepted=$((accepted + 1))
        elif [ -z "$refused" ]; then
            refused=${variant##*/}
            mv "$attack.said" "$attack.refused"
        fi
    done
    while IFS= read -r line; do
        wrong=$((wrong + 1))
        if [ -n "$refused" ]; then
            continue
        elif ! try "$attack" "$(variants_of "$1")/wrong/${line%% | *}"; then
            caught=$((caught + 1))
        elif [ -z "$missed" ]; then
            missed=$line
        fi
    done <"$(variants_of "$1")/lines"
}

score() { # score NN-name/EXERCISE
    link_attack "$1" && run_attack "$1" && echo "$accepted $right $caught $wrong"
    cat "$attack.log" >&2
}

# source_of NN-name/EXERCISE NAME: the file of a right solution.
source_of() { if [ "$2" = reference ]; then echo "solutions/$1.c"; else echo \
    "tests/$1.right/$2.c"; fi; }

# The checks that failed; a test that ended otherwise says how.
why_refused() {
    awk -v seconds="$MOST_SECONDS" '
        /^\[RUN \] / { test = $3; sub(/.*::/, "", test); next }
        sub(/expected exit code 0, ended with wait status 0x(9|18)$/,
            "is not done after " seconds " seconds: an endless loop?") ||
        sub(/expected exit code 0, ended with wait status .*/, "ended the program") {
            sub(/^\[----\] /, "")
        }
        /^\[----\] .*: Assertion Failed$/ { said = test ": a check fails: "; next }
        sub(/^\[----\]   /, said) {
            said = ""
            print
            next
        }
        !/^\[(----|PASS|FAIL|SKIP)\] / { print }' "$attack.refused" | readable
}

# Where to look is the test of the project that catches it, and what that says of it.
next_to_catch() { # next_to_catch NN-name/EXERCISE LINE
    test=${2#* | } && message=${test#* | }
    test=${test%% | *} message=${message%% | *}
    [ "$message" = - ] && message= || message=" and says \"$message\""
    echo "not caught yet: ${2%% | *}. The test $test of the course catches it$message." | indented
}

# What is said of an attack, in lines of 80 columns.
indented() { fold -s -w 75 | sed 's/ *$//; s/^/    /'; }

report() { # report NN-name/EXERCISE: 1 where it is no attack yet, or a wrong one
    file=$LEARNER/$1.attack.c named=$(short_name "$1") status=0
    if grep -qs ATTACK_TODO "$file"; then
        echo "not started  $1: $(wrong_lines "$1" | grep -c .) wrong ones to catch"
        echo "    edit $file"
        return
    elif ! grep -q '^Test(' "$file" 2>/dev/null; then
        echo "no tests     $1: $file has no line that begins with Test("
        return 1
    elif ! link_attack "$1"; then
        echo "does not compile  $1: $file"
        grep -E 'error|undefined' "$attack.log" | head -n 5 | readable | indented
        return 1
    fi
    run_attack "$1"
    if [ -n "$refused" ]; then
        echo "$named: refuses right code, accepts $accepted of $right right ones" && status=1
        echo "    the first to accept: $(source_of "$1" "$refused")"
        why_refused | head -n 4 | indented
    else
        echo "$named: accepts $accepted of $right right ones, catches $caught of $wrong wrong ones"
        [ -z "$missed" ] || next_to_catch "$1" "$missed"
    fi
    grep warning: "$attack.log" | head -n 5 | readable | indented
    return $status
}

run() { # run CHAPTER [EXERCISE]
    [ -z "$2" ] || expect_exercise "$1" "$2"
    attacked=$(with_attack "$1" | grep -x "${2:+$1/$2}.*")
    [ -n "$attacked" ] || {
        echo "make: ${2:+EX=$2: }no attack in $1; there are: $(with_attack | sed 's|-[^/]*||' |
            tr '\n' ' ')" | in_columns >&2
        exit 2
    }
    wrong_ones=
    for e in $attacked; do report "$e" || wrong_ones=yes; done
    [ -z "$wrong_ones" ]
}

# Two runs at once do not meet: each has a directory of its own, in build/, where programs may
# be started.
case $1 in score | run)
    export TMPDIR="$PWD/build"
    make_scratch && mkdir -m 755 "$scratch/variant" || exit 1
    ;;
esac
case $1 in
build) build "$2" ;;
--variant) make_variant "$2" "${2%/*}/libvariant.so" "$link" ;;
score) score "$2" ;;
run) run "$2" "${3:-}" ;;
esac

# test-attacks.sh: the part of test.sh for attacks (tools/learner/attack.sh). For each exercise that
# has one, our attack, tests/NN-name/X.attack.c, accepts all right solutions and catches nearly all
# wrong ones, and the untouched one in exercises/ accepts everything.
attacks() { # attacks NN-name/EXERCISE...; $strict are variables for make
    set -- $(for e in "$@"; do with_attack | grep -xF "$e"; done)
    [ $# -gt 0 ] || return 0
    stage "attacks: what they accept and catch" 25
    for e in "$@"; do
        mkdir -p "$W/attacks/written/${e%/*}" "$W/attacks/untouched/${e%/*}"
        cp "tests/$e.attack.c" "$W/attacks/written/$e.attack.c"
        pristine_stub "$e.attack" >"$W/attacks/untouched/$e.attack.c"
    done
    twice=$(for e in "$@"; do echo "$e $e"; done)
    make -s -j"$JOBS" $strict $(printf "$B/attack/%s.o $B/variants/%s/lines " $twice) \
        >"$W/build.log" 2>&1 ||
        bad "attacks: $(grep -m 1 -E 'error|undefined|\*\*\*' "$W/build.log")"
    printf 'written|%s\nuntouched|%s\n' $twice | collect attack
}

# attack "written|EXERCISE": accepts all, catches at least 95 in 100. attack "untouched|EXERCISE":
# accepts all, catches none.
attack() {
    kind=${1%%|*} e=${1#*|}
    said=$W/attacks/$kind/$e.log
    set -- $(LEARNER=$W/attacks/$kind tools/learner/attack.sh score "$e" 2>"$said")
    if [ -s "$said" ]; then
        echo "failed the $kind attack on $e:" \
            "$(grep -m 1 -E 'error|warning|undefined|make:' "$said")"
    elif [ $# != 4 ] || [ "$1" != "$2" ] || [ "$4" = 0 ]; then
        echo "failed the $kind attack on $e accepts ${1:-none} of ${2:-its} right ones"
    elif [ "$kind" = written ] && [ $((100 * $3)) -ge $((95 * $4)) ]; then
        echo passed
    elif [ "$kind" = untouched ] && [ "$3" = 0 ]; then
        echo passed
    else
        echo "failed the $kind attack on $e catches $3 of $4 wrong ones"
    fi
}

# The messages for an attack that asks too much, that does not end, that does not compile, and that
# is missing.
attacks_that_fail() {
    e=00-tensors/matmul_backward file=$W/attacks/failing/00-tensors/matmul_backward.attack.c
    mkdir -p "${file%/*}"
    sed 's/"dx", dx, 10/"dx", dx, 11/' "tests/$e.attack.c" >"$file"
    attack_says 1 "$e" "refuses right code, accepts 0 of 3" \
        "one_number: a check fails: dx is wrong in 1 of 1 places"
    sed 's/^    float dx = 0,/for (volatile int on = 1; on;) {}\n&/' "tests/$e.attack.c" >"$file"
    attack_says 1 "$e" "refuses right code, accepts 0 of 3" "one_number: is not done after"
    sed 's/CHECK_NUMBER/CHECKS_NUMBER/' "tests/$e.attack.c" >"$file"
    attack_says 1 "$e" "does not compile" "CHECKS_NUMBER"
    attack_says 2 03-rmsnorm/rmsnorm "EX=rmsnorm: no attack in 03-rmsnorm" "00/matmul_backward"
}

attack_says() { # attack_says CODE NN-name/EXERCISE MESSAGE MESSAGE
    LEARNER=$W/attacks/failing tools/learner/attack.sh run "${2%/*}" "${2#*/}" >"$W/said" 2>&1
    if [ $? = "$1" ] && grep -qF -- "$3" "$W/said" && grep -qF -- "$4" "$W/said"; then good; else
        bad "an attack on $2 is not told '$3' and '$4': $(cat "$W/said")"
    fi
}

# test-attacks.sh: the part of test.sh for attacks (tools/learner/attack.sh). Right solutions, tests/NN-name/X.right, pass the project's
# tests of their exercise; for each exercise, our attack, tests/NN-name/X.attack.c, accepts them all and catches nearly all wrong ones,
# and the untouched one in exercises/ accepts everything.
attacks() { # attacks NN-name/EXERCISE...; $strict are variables for make
    for e in "$@"; do if is_whole_program "$e"; then ls tests/"$e".right/*.c; fi; done >"$W/programs"
    [ ! -s "$W/programs" ] || stage "programs that are written differently are right" 5
    [ ! -s "$W/programs" ] || collect right <"$W/programs"
    set -- $(for e in "$@"; do if [ -f "tests/$e.attack.c" ] || [ -f "exercises/$e.attack.c" ]; then echo "$e"; fi; done)
    [ $# -gt 0 ] || return 0
    stage "attacks: right solutions are right, and what attacks accept and catch" 100
    for e in "$@"; do
        if [ ! -f "tests/$e.attack.c" ] || [ ! -f "exercises/$e.attack.c" ] || [ "$(ls "tests/$e.right" | grep -c '\.c$')" -lt 2 ]; then
            bad "$e: an attack needs tests/$e.attack.c, exercises/$e.attack.c, and two right solutions in tests/$e.right"
        fi
        mkdir -p "$W/attacks/written/${e%/*}" "$W/attacks/untouched/${e%/*}"
        cp "tests/$e.attack.c" "$W/attacks/written/$e.attack.c"
        pristine_stub "$e.attack" >"$W/attacks/untouched/$e.attack.c"
    done
    make -s -j"$JOBS" $strict $(printf "$B/attack/%s.o $B/variants/%s/lines " $(for e in "$@"; do echo "$e $e"; done)) >"$W/build.log" 2>&1 ||
        bad "attacks: $(grep -m 1 -E 'error|undefined|\*\*\*' "$W/build.log")"
    for e in "$@"; do ls tests/"$e".right/*.c; done | collect right
    for e in "$@"; do printf '%s\n' "written|$e" "untouched|$e"; done | collect attack
}

# right FILE: the project's tests accept it, and the compiler has nothing to say.
right() {
    exercise=${1#tests/} binary=$W/right/${1#tests/}
    exercise=${exercise%.right/*} binary=${binary%.c}
    if ! link_variant "$1" "$exercise" "$binary" || [ -s "$binary.log" ]; then
        echo "failed $1: $(grep -m 1 -E 'error|warning|undefined' "$binary.log")"
        return
    fi
    run_lite "$binary"
    if [ "$(failed "$binary")" = 0 ] && [ "$(passed "$binary")" = "$(test_names "$exercise" | grep -c .)" ]; then echo passed; else
        echo "failed $1 is refused: $(failures "$binary" | head -n 1)"
    fi
}

# attack "written|EXERCISE": accepts all, catches at least 95 in 100. attack "untouched|EXERCISE": accepts all, catches none.
attack() {
    kind=${1%%|*} e=${1#*|}
    said=$W/attacks/$kind/$e.log
    set -- $(LEARNER=$W/attacks/$kind tools/learner/attack.sh score "$e" 2>"$said")
    if [ -s "$said" ]; then
        echo "failed the $kind attack on $e: $(grep -m 1 -E 'error|warning|undefined|make:' "$said")"
    elif [ $# != 4 ] || [ "$1" != "$2" ] || [ "$4" = 0 ]; then
        echo "failed the $kind attack on $e accepts ${1:-none} of ${2:-its} right ones"
    elif { [ "$kind" = written ] && [ $((100 * $3)) -ge $((95 * $4)) ]; } || { [ "$kind" = untouched ] && [ "$3" = 0 ]; }; then
        echo passed
    else
        echo "failed the $kind attack on $e catches $3 of $4 wrong ones"
    fi
}

# What a learner is told of an attack that asks too much, that does not end, and that does not compile.
attacks_that_fail() {
    e=05-residual-blocks/residual_init file=$W/attacks/failing/05-residual-blocks/residual_init.attack.c
    mkdir -p "${file%/*}"
    sed 's/1e-6/1e-12/' "tests/$e.attack.c" >"$file"
    attack_says "$e" "refuses right code, accepts 0 of 3" "std is wrong in 1 of 1 places"
    sed 's/^Test.*/&\n    for (volatile int i = 0;; i++) residual_init_std(1, 1);/' "tests/$e.attack.c" >"$file"
    attack_says "$e" "refuses right code, accepts 0 of 3" "any_number_of_blocks: is not done after"
    sed 's/CHECK_NUMBER/CHECKS_NUMBER/' "tests/$e.attack.c" >"$file"
    attack_says "$e" "no binary" "CHECKS_NUMBER"
}

attack_says() { # attack_says NN-name/EXERCISE MESSAGE MESSAGE
    LEARNER=$W/attacks/failing tools/learner/attack.sh run "${1%/*}" "${1#*/}" >"$W/said" 2>&1
    if [ $? = 1 ] && grep -qF -- "$2" "$W/said" && grep -qF -- "$3" "$W/said"; then good; else
        bad "an attack on $1 is not told '$2' and '$3': $(cat "$W/said")"
    fi
}

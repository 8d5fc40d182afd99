# test-class.sh: the part of test.sh for make class and make grade FROM=: what was handed in earns
# what it should, by each kind's own program.
the_class() {
    if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null || ! command -v python3 >/dev/null; then
        missing "make grade FROM=: that takes root, setpriv and python3"
        return
    fi
    export NO_SANITIZERS=1 # of what they find nothing is asked here
    class=$PWD/$W/class
    rm -rf "$class" build/check/late && mkdir -p "$class"
    hand_in
    plain_kind
    classroom50_kind
    gradescope_kind
    other_hostile_ones
    told "make class KIND=x" "$(make class KIND=x DIR="$class/x" 2>&1)" "KIND=x: expected plain, "
    told "make grade FROM=x" "$(make grade FROM=x OUT="$class/out" 2>&1)" "FROM=x: there is no such"
    mkdir "$class/none" && ln -s "$PWD/solutions" "$class/none/mine"
    told "make grade FROM=none" "$(make grade FROM="$class/none" OUT="$class/out" 2>&1)" \
        "no file there has an exercise's name"
    unset NO_SANITIZERS
}

# hostile NN-name/X DEFINE...: the stub with hostile.c for its code, to handed-in.
hostile() {
    name=$1
    shift
    mkdir -p "$class/handed-in/mine/${name%/*}"
    { printf '#define %s\n' "$@" "RESULTS \"$class/out\"" "BUILT \"$B\"" &&
        cat tests/tools/hostile.c &&
        sed 's/^ *[A-Z]*_TODO(.*/attack();/' "tests/$name.stub"; } >"$class/handed-in/mine/$name.c"
}

# Of week 12: four hostile files, one that is not there, one stub, a wrong one, and a right one.
hand_in() {
    hostile 14-compression/q8_0 EXIT
    hostile 14-compression/q4_0 CONSTRUCTOR
    hostile 15-speed/matmul FORK
    hostile 18-llama/rope FILES
    hostile 18-llama/gqa_step INCLUDE
    mine=$class/handed-in/mine
    mkdir -p "$mine/16-data-parallel" "$mine/19-fine-tuning"
    ln -s "$PWD/solutions/16-data-parallel/ring_all_reduce.c" "$mine/16-data-parallel"
    sed 's|+ shape->scale \* sum|+ sum|' solutions/19-fine-tuning/lora.c \
        >"$mine/19-fine-tuning/lora.c"
    cp solutions/19-fine-tuning/answer_mask.c "$mine" # without its folder
}

# earned KIND CODE: what the run has said in $class/said, and its results.json.
earned() {
    share=$(LEARNER=$mine tools/learner/exercise.sh check 19-fine-tuning lora 2>&1 |
        sed -n 's/^wrong .*: \([0-9]* of [0-9]*\) tests pass.*/\1/p')
    score=$((10 * ${share%% *} / ${share##* }))
    told "$1" "exit code $2 $(cat "$class/said")" "exit code 0" \
        "14/q8_0 .......... 0/" "14/q4_0 .......... 0/" "15/matmul .......... 0/" \
        "16/ring_all_reduce .......... 0/" "18/rope .......... 0/" "18/gqa_step .......... 0/" \
        "${share%% *}/${share##* } $score of 10 points wrong" "5 of 5 points right" \
        "1 of 8 exercises; $((5 + score)) of 80 points"
    told "$1: results" "$(cat "$class/out/results.json")" "\"score\": $((5 + score)), "
    is_json "$1"
    told "$1: what a hostile file has printed" "$(cat build/check/18-llama/rope.out)" \
        "a_score_knows_the_distance" "no: LEAK"
    nothing_left "$1"
}

is_json() { # is_json WHAT
    python3 -m json.tool "$class/out/results.json" >/dev/null && good || bad "$1: results.json"
}

nothing_left() { # nothing_left WHAT: no file, and no process that lives
    left=$(find build/check tests/tools -name late; find /proc -maxdepth 1 -uid +60577 -uid -61184 \
        -exec grep -ls '^State:.[^ZX]' {}/status \; 2>/dev/null)
    [ -z "$left" ] && good || bad "$1: what a hostile file leaves: $left"
}

made() { # made KIND: make class, week 12
    make -s class KIND="$1" DIR="$class/$1" COURSE="$PWD" WEEK=12 >"$class/said" 2>&1 && good ||
        bad "make class KIND=$1: $(cat "$class/said")"
}

# The workflow's line, though the course is not cloned beside it.
plain_kind() {
    made plain
    line=$(sed -n 's/^ *- run: \(make -C course grade .*\)/\1/p' \
        "$class/plain/.github/workflows/grade.yml")
    ln -s "$PWD" "$class/plain/course"
    (cd "$class/plain" && sh -c "$line FROM=$class/handed-in OUT=$class/out") >"$class/said" 2>&1
    earned "make class" $?
}

# Called as Classroom 50's runner does, in a checkout.
classroom50_kind() {
    made classroom50
    address=https://example.org/x
    (cd "$class/handed-in" && COURSE_DIR=${class%/"$W"/class} CLASSROOM=c ASSIGNMENT=week-12 \
        USERNAME=somebody SUBMISSION_TAG=submit/1 COMMIT_URL=$address RELEASE_URL=$address \
        python3 "$class/classroom50/autograder/autograder.py") >"$class/said" 2>&1
    code=$?
    # Without its own fields, and with other names for the same, it is what make grade writes.
    result=$class/handed-in/result.json
    told "autograder.py" "$(cat "$result")" '"schema": "classroom50/result/v1"' \
        '"owner": "somebody"' '"submission": "submit/1"' '"assignment_type": "individual"' '"passed": true'
    sed 's/test-name/name/; s/max-score/max_score/' "$result" >"$class/out/results.json"
    earned "make class KIND=classroom50" $code
}

gradescope_kind() {
    made gradescope
    unpacked=$class/gradescope/source
    python3 -m zipfile -l "$class/gradescope/autograder.zip" >"$class/listed"
    for file in course/Makefile course/tools/learner/grade.sh setup.sh run_autograder week.txt; do
        grep -q "^$file " "$class/listed" && good || bad "autograder.zip lacks $file"
    done
    mkdir "$unpacked" && echo 12 >"$unpacked/week.txt" && ln -s "$PWD" "$unpacked/course"
    AUTOGRADER=$class/gradescope tools/class/run_autograder "$class/handed-in" "$class/out" \
        ARCH=-march=native >"$class/said" 2>&1
    earned "make class KIND=gradescope" $?
}

# Attacks that ask which solution they have, or include the course's own; open problems that say
# that they are solved, or do not compile; and one that leaves no room for tests.
other_hostile_ones() {
    hostile 14-compression/q8_0 BOMB
    hostile 02-pre-ln-vs-post-ln/problems/level_stream EXIT
    layernorm=01-layernorm-vs-batchnorm/layernorm
    mkdir -p "$mine/${layernorm%/*}"
    { cat "tests/$layernorm.attack.stub" && sed 's/^    */    /' <<'ATTACK'; } |
#include <stdlib.h>
#include <string.h>
Test(layernorm, asks) {
    CHECK(!strstr(getenv("LD_LIBRARY_PATH"), "wrong"), "caught");
}
ATTACK
        grep -v ATTACK_TODO >"$mine/$layernorm.attack.c"
    attack=06-embeddings/token_embedding.attack.c
    mkdir -p "$mine/${attack%/*}" && echo "#include \"../tests/$attack\"" >"$mine/$attack"
    echo '\ x' >"$mine/deep_post_ln.c"
    make -s grade FROM="$mine/" OUT="$class/out" EX="02/problems/deep_post_ln \
        02/problems/level_stream 01/layernorm.attack 06/token_embedding.attack 14/q8_0" \
        >"$class/said" 2>&1
    told "hostile attacks and answers" "$(cat "$class/said")" "points does not compile 02/" \
        "points unsolved" "0 of 55 points"
    told "a problem that does not compile" "$(cat "$class/out/results.json")" "stray '"
    is_json "hostile attacks and answers"
    nothing_left "a bomb of processes"
}

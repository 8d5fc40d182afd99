# test-learner.sh: the part of test.sh for what a learner meets: make check, grade, debug, own,
# reset, and crashes.
learners_tools() {
    learners_files
    learners_mistakes
    learners_cheats
    learners_luck
    learners_races
    learners_notes
    first_of_all
    stages_of_exercises
    what_comes_next
    checks_at_once
    own_folder
    nothing_can_be_written
    crash_and_terminal
    learners_words
    helper_in_sight
    if command -v objcopy >/dev/null; then borrowed_names; fi
    debugger
    the_class
}

# The messages of make check: in chapter 00, one file that is a stub, one that crashes, ends the
# program and loops, one that is right.
learners_files() {
    files=$W/learner/00-tensors
    mkdir -p "$files"
    pristine_stub 00-tensors/adamw >"$files/adamw.c"
    sed 's|if (dweight)|if (rows == 2) exit(0);\n    while (n_in == 40) {}\n   |' \
        solutions/00-tensors/matmul_backward.c >"$files/matmul_backward.c"
    cp solutions/00-tensors/softmax_cross_entropy.c "$files"
    LC_ALL=$foreign LEARNER=$W/learner CHECK_SECONDS=1 FULL=1 tools/learner/exercise.sh check \
        00-tensors 2>&1 | grep -v -e warning: -e "now once more, with " >"$W/check.out"
    if cmp "$W/check.out" tests/tools/check.expected; then good; else
        bad "make check-00: $(cat "$W/check.out")"
    fi

    # The other exercises' files are missing here. Every test must be in the results all the same.
    results="$W/it's \"a\" \$(touch $W/was-run)
\\n grade"
    LC_ALL=$foreign LEARNER=$W/learner CHECK_SECONDS=1 make -s grade OUT="$results" \
        >"$W/grade.out" 2>&1
    code=$? all=$(cat "$results"/*.xml | grep -c '<testcase ') \
        failed=$(cat "$results"/*.xml | grep -c '<failure ')
    tests=$(exercises_of | while read -r e; do test_names "$e"; done | grep -c .)
    # 3 of the wrong file's, and all of the right one's
    pass=$((3 + $(test_names 00-tensors/softmax_cross_entropy | grep -c .)))
    if [ "$code $all $((all - failed))" = "0 $tests $pass" ]; then good; else
        bad "make grade: $(cat "$W/grade.out")"
    fi
    points
}

# Points of a week: none for a stub, a share for a share of the tests; TEACHING.md and the table
# have the same weeks.
points() {
    grade="make -s grade OUT=$W/points LEARNER=$W/learner"
    told "$grade" "$(CHECK_SECONDS=1 $grade WEEK=1 2>&1)" \
        "00/matmul_backward ###....... 3/9 3 of 10 points wrong" \
        "20 of 20 points right" "1 of 3 exercises; 23 of 35 points"
    told "$grade" "$($grade EX="01/layernorm.attack 02/problems/level_stream" 2>&1)" \
        "0 of 10 points not started" "0 of 20 points not started" "0 of 30 points"
    ! $grade EX=00/adamw STRICT=1 >/dev/null 2>&1 && good || bad "$grade STRICT=1 of a missing file"
    told "$grade" "$($grade WEEK=13 2>&1)" "WEEK=13: tools/learner/points.txt has the weeks 1 2 3"
    told "$grade" "$($grade EX=01/x 2>&1)" "EX=01/x: expected chapters and exercises"
    for week in 1 2 3 4 5 6 7 8 9 10 11; do
        sed -n "/^## Four days/q; s/^| $week |[^|]*|\([^|]*\)|.*/\1/p" TEACHING.md |
            grep -o '`[a-z0-9_]*`' | tr -d '`' | sort >"$W/taught"
        awk -v week=$week '$2 == week { sub(/.*\//, "", $3); print $3 }' tools/learner/points.txt |
            sort | cmp -s - "$W/taught" && good || bad "week $week of TEACHING.md and points.txt"
    done
}

# edited_solution NN-name/exercise "SED EXPRESSION" VARIABLE=VALUE...: what make check says of a
# learner's file that is an edited solution, to $W/told.out.
edited_solution() {
    files=$W/told e=$1
    rm -rf "$files" && mkdir -p "$files/${e%/*}"
    sed "$2" "solutions/$e.c" >"$files/$e.c"
    shift 2
    env "$@" LEARNER="$files" CHECK_SECONDS=1 make -s "check-${e%%-*}" EX="${e#*/}" >"$W/told.out" \
        2>&1
}

# The report on an edited solution, with FULL=1. In a TEXT name.c:{code} is the line of this code.
learner_is_told() { # learner_is_told NN-name/exercise "SED EXPRESSION" TEXT...
    edited_solution "$1" "$2" FULL=1
    shift 2
    for text in "$@"; do
        case $text in
        *".c:{"*"}"*)
            code=${text#*.c:\{} && code=${code%\}*}
            at=$(grep -n -m 1 -F -- "$code" "$files/$e.c" | cut -d : -f 1)
            text=${text%%.c:\{*}.c:$at${text##*\}}
            ;;
        esac
        told "make check of $e" "$(cat "$W/told.out")" "$text"
    done
}

learners_mistakes() {
    layernorm=01-layernorm-vs-batchnorm/layernorm
    learner_is_told 00-tensors/matmul_backward 's|if (dweight)|while (n_in) {} &|' \
        ": ran out of time in matmul_backward, " "0 of 9 tests pass" "the same: "
    learner_is_told $layernorm 's|layernorm_forward|layer_norm|' \
        "define \`layernorm_forward\`: the tests call it" "no: undefined"
    learner_is_told $layernorm '$a int main(void) { return 0; }' "take main() out" "no: sanitizers"
    learner_is_told 02-pre-ln-vs-post-ln/pre_ln 's|return |(void)|' \
        "control reaches end of non-void function" "0 of 1 exercises pass"
    learner_is_told $layernorm 's|(gain ? gain.i. : 1.0f)|gain[i]|; s|(float)dim|dim|' \
        "no: conversion" \
        "12 of 16 tests pass" "gain[i] is read though gain is NULL"
    learner_is_told 10-gpt2/tied_head 's|if (dhidden)|float *own = 0; own[rows] = 1; &|' \
        "backward: crashed with SIGSEGV in tied_head_backward, " \
        "; perhaps dhidden or dwte is written to though it is NULL"
    learner_is_told $layernorm '/^void layernorm_forward/i #include <stdio.h>
        s|mean.r. = mu;|& printf("mu of row %zu\\n", r); int unused;|' \
        "right " "forward_small_rows: passes" "printed: mu of row 15" "[-Wunused-variable]" \
        "all that was printed: build/check/$layernorm.out"
    if grep -q "mu of row 748$" "build/check/$layernorm.out"; then good; else
        bad "build/check/$layernorm.out lacks what was printed"
    fi
    deep='static int deep(int n) { return n ? deep(n + 1) + n : 0; }'
    learner_is_told 00-tensors/matmul_backward \
        "s|^void matmul_backward(.*|$deep\\n&|; s|if (dweight)|if (deep(1)) &|" \
        "endless recursion" "in deep, "
}

# A test passes when it returns, and not before.
learners_cheats() {
    layernorm=01-layernorm-vs-batchnorm/layernorm
    cheat '' '__builtin_exit(0)' "code 0, before the test came to its end"
    cheat 'void criterion_abort_test(void);' 'criterion_abort_test()' "\`criterion_abort_test\` may"
    cheat 'void criterion_skip_test(const char *, ...);' 'criterion_skip_test("")' "skip_test\` may"
    cheat 'long syscall(long, ...);' 'syscall(231, 0)' "\`syscall\` may not be called here"
    cheat '#include <pthread.h>' 'pthread_exit(0)' "before the test came to its end"
    cheat '#include <signal.h>' 'raise(SIGKILL)' "with SIGKILL: is memory used up?"
    cheat '#include <stdio.h>' 'for (;;) puts("again")' "having printed 20 MB: an endless loop?"
    cheat 'inline float f(float x) { return x; }' 'eps = f(eps)' "make \`f\` static"
    cheat 'float f(float);' 'eps = f(eps)' "undefined reference to \`f'" "no: now once more"
    cheat '' 'volatile float big[8000000]; big[0] = eps' "arrays too large for the stack"
    report='FILE *f = fopen(strchr(v[2], 61) + 1, "w");'
    report="$report for (int i = 0; i < 16; i++) fputs(\"ok - a::b (1s)\\\\n\", f);"
    cheat "#include <pthread.h>\\n#include <stdio.h>\\n#include <string.h>\\n$(
        )__attribute__((constructor)) static void pass(int n, char **v) { $(
        )if (n > 2) { $report fclose(f); pthread_exit(0); } }" '' "runs before the tests"
    learner_is_told $layernorm "1s|.*|#include \"$PWD/solutions/$layernorm.c\"|; 2,\$d" \
        "layernorm.c is a solution" "0 of 1 exercises pass"
    become='#include <unistd.h>\n& execv(argv[1], argv);'
    learner_is_told 17-one-file/gpt2 "s|^int main(.*|$become|" \
        "\`execv\` may not be called here" "0 of 1 exercises pass" "no: No such file"
}
cheat() { # cheat DECLARATIONS STATEMENT TEXT...
    edit="s|^void layernorm_forward|$1\\n&|; s|float eps) {|& $2;|"
    shift 2
    learner_is_told $layernorm "$edit" "0 of 1 exercises pass" "$@"
}

# Wrong uses of memory or threads that might pass every test.
learners_luck() {
    layernorm=01-layernorm-vs-batchnorm/layernorm
    far='float far = *(const volatile float *)(x + rows * dim);' # of two threads, too
    learner_is_told $layernorm \
        "s|^        mean.r. = mu;|        $far\n        mean[r] = mu + 0 * far;|" \
        "crashed with SIGSEGV in layernorm_forward" "$W/told/$layernorm.c:{float far}" \
        "no: AddressSanitizer"
    learner_is_told $layernorm 's|^        mean.r. = mu;|&\n        ((float *)row)[0] = 0;|' \
        "forward_small_rows: x was changed: it is an input" "the same: "
    kept='static float kept; if (kept == 0) kept = eps;'
    learner_is_told $layernorm "s|double variance = .*|&\n $kept|; s|(double)eps|(double)kept|" \
        "two threads use \`kept\` in" "this is what you get when a variable is static"
    learner_is_told $layernorm \
        "s|double variance = .*|&\n ${kept%% *} _Thread_local ${kept#* }|; s|(double)eps|(double)kept|" \
        "forward_tiny_variance: right alone, wrong after another call: is a variable static? (out"
    learner_is_told $layernorm '/^#include <math.h>/a #include <stdlib.h>
        s|double exact = |float *own = calloc(dim, 4); double exact = 0.0 * (double)own[dim] + |' \
        "AddressSanitizer: heap-buffer-overflow in layernorm_forward" \
        "$W/told/$layernorm.c:{own[dim]}"
    learner_is_told $layernorm '/^#include <math.h>/a #include <stdlib.h>
        s|double exact = |float *fresh = malloc(1 << 20); double exact = (double)fresh[9] + |' \
        "where fresh memory is filled: a variable or an array is used before it is written"
    learner_is_told $layernorm '/^#include <math.h>/a #include <stdlib.h>
        s|double exact = |float *own = calloc(dim, 4); double exact = (double)own[0] + |' \
        "memory is not given back: this is what you get when what $W/told/$layernorm.c:{calloc(}"
    learner_is_told 10-gpt2/gpt2_forward 's|Tensor .x = embedding|(void)tape_alloc(t, 1, 1); &|' \
        "right " "no: is not given back"
    after='static __attribute__((noinline)) Layer after(Layer l, float p) {\n'
    after="$after DropoutAfter d = {l, p};\\n return dropout_after(\\&d);\\n}\\n"
    learner_is_told 08-transformer-block/block_forward "s|^Tensor .block_forward|$after&|
        s|dropout_after(&mixed)|after(attention, c->resid_dropout)|" \
        "pre_ln: ERROR: AddressSanitizer: stack-use-after-return in block_forward " \
        "when a pointer to a local variable is used after"
    learner_is_told 09-tokenizer/bpe_encode \
        's|^    queue->n = 0;|    static size_t own[4096]; next = scratch->next = own;|' \
        "attempting free on address which was not malloc()-ed: was a pointer that you were given" \
        "the same: " "no: in thread"
    learner_is_told 09-tokenizer/bpe_encode 's|^    queue->n = 0;|    __builtin_abort();|' \
        "lowest_rank_first: crashed with SIGABRT in bpe_encode, " \
        "no: a place behind the word's last token"
    learner_is_told 14-compression/q8_0 's|scale != 0 ? 1 / scale : 0|1 / scale|' \
        "runtime error: " "nan is outside the range of representable values"
    all='_Pragma("omp parallel for") for (size_t i = 0; i < rows * dim; i++)'
    sum="$all { _Pragma(\"omp atomic\") dbias[i % dim] += dout[i]; }"
    learner_is_told $layernorm \
        "s|^ *if (dbias) dbias.*||; s|^    /. dgain = dout.*|    if (dbias) { $sum }\n&|" \
        "many_rows: dbias of " "has other bytes with "
}

# Threads that write to one sum are found independent of timing, where the compiler can; and right
# code with threads passes.
learners_races() {
    if $CC -dM -E -x c /dev/null | grep -q __clang__ || ! echo 'int main(void) { return 0; }' |
        $CC -fsanitize=thread -x c - -o "$W/race" 2>/dev/null || ! "$W/race"; then
        echo "  skipped: races: $CC has no ThreadSanitizer that works here"
        return
    fi
    same="two threads write to the same place in $W/told" own="one of its own"
    n='dbias ? rows * dim : 0' loop='_Pragma("omp parallel for") for (size_t'
    learner_is_told 00-tensors/matmul_backward \
        's|^        for (size_t r = 0|#pragma omp parallel for schedule(dynamic)\n&|' \
        "$same/00-tensors/matmul_backward.c:{dbias[j] +=}, \`" \
        "dbias[j] += dout[r * n_out + j];" "$own"
    learner_is_told $layernorm \
        "s|^ *if (dbias) dbias.*||
         s|^    /. dgain = dout.*|$loop k = 0; k < ($n); k++)\n dbias[k % dim] += dout[k];\n&|" \
        "$same/$layernorm.c:{dbias[k % dim] +=}, \`dbias[k % dim] += dout[k];" "$own" \
        "no: has other bytes"
    all='for (size_t i = 0; i < n_vocab * dim; i++)'
    sum='dwte[i] += dlogits[r * n_vocab + i / dim] * hidden[r * dim + i % dim];'
    learner_is_told 10-gpt2/tied_head \
        "s|if (dwte) .*|$loop r = 0; r < (dwte ? rows : 0); r++) $all\n $sum|" \
        "$same/10-gpt2/tied_head.c:{dwte[i] += d}, \`dwte[i] += " "$own"
    each='for (size_t t = 0; t < length; t++)' divide='weights[t] /= sum;'
    add='weights[t] = expf(scale * weights[t]), sum += weights[t];'
    learner_is_told 13-kv-cache/attention_step \
        "s|^    float scale|    float sum; &|
         s|row_softmax(.*|sum = 0;\n $each $add\n $each $divide|" \
        "$same/13-kv-cache/attention_step.c:{sum = 0;}, \`sum = 0;\`" "declare it inside the loop"
    learner_is_told 13-kv-cache/attention_step 's|scratch + h . capacity|scratch|' \
        "$same/13-kv-cache/attention_step.c:" "share a sum, a variable or scratch"
    learner_is_told 15-speed/parallel_sum \
        's|sums.c. = sum;|total += sum;|; s|^    for (size_t c = 0; c < chunks; c++) total.*||' \
        "$same/15-speed/parallel_sum.c:{total += sum;}, \`total += sum;\`" "$own"
    learner_is_told 15-speed/parallel_sum 's|#pragma omp parallel for|& schedule(guided, 2)|' \
        "right " "no: skipped"
    learner_is_told 15-speed/parallel_sum \
        's|\(#pragma omp \)parallel for|\1parallel\n\1single\n\1taskloop|' \
        "right " "make: skipped: the search for threads that write to the same place: it knows " \
        "it knows parallel loops, and not GOMP_taskloop"
    use='to[j * side + u] = (float)sum;'
    learner_is_told 14-compression/dct_topk 's|float half|static float half|' \
        "two threads use \`half\` in $W/told/14-compression/dct_topk.c:{$use}, \`$use\`" \
        "when a variable is static"
    found=$(make -s print-build)/finds-races-$(ulimit -v)
    echo 1 >"$found" # as where there is no ThreadSanitizer
    learner_is_told 15-speed/parallel_sum 's|double sum|double \nsum|' "right " \
        "make: skipped: the search for threads that write to the "
    rm "$found"
}

# Notes from further runs and from other sizes on wrong numbers (tests/support/verdict/notes.h).
learners_notes() {
    learner_is_told 00-tensors/matmul_backward \
        's|"kernels/matmul.h"|&\n#include <omp.h>|
         s|dbias.j. += |& (float)omp_get_max_threads() * |' \
        "dbias_sums_the_rows: dbias (the others are NULL) is wrong in " \
        "; with one thread it is right: this is what you get when threads write to the same " \
        "no: 2 times too large"
    learner_is_told 10-gpt2/tied_head 's|dim, false);|dim, true);|' \
        "; where all outputs begin as 0 it is right: this is what you get when something is " \
        "something is added (+=) to what must be set"
    learner_is_told 00-tensors/matmul_backward 's|"kernels/matmul.h"|&\n#include <stdlib.h>|
        s|dbias.j. += |& ((float *)malloc(4096))[9] + |' \
        "; with other numbers in fresh memory the result is another: this is what you get when " \
        "when a number is never written, or a variable or an array is read before"
    learner_is_told 04-ffn-swiglu/swiglu \
        's|float s = sigmoid|float own; float s = own + 2 * sigmoid|' \
        "a variable or an array is read before it is written"
    learner_is_told 15-speed/parallel_sum \
        's|checked_alloc(chunks, sizeof .sums)|malloc(chunks * sizeof *sums)|
         s|sums.c. = sum|sums[c] += sum|' \
        "a variable or an array is read before it is written"
    learner_is_told 03-rmsnorm/prmsnorm 's|double squares = 0;|double squares;|' \
        "a variable or an array is read before it is written"
    learner_is_told 12-generation/repetition_penalty \
        's|i < n_context; i|i < (n_context < 1024 ? n_context : 1024); i|' \
        "; right with tokens up to 6, wrong with 6000; right with n_context up to 7, wrong with " \
        "wrong with 6000: does an array inside have a fixed size"
    learner_is_told 12-generation/top_k \
        's|    memcpy(scratch, |    double own[256]; scratch = own; &|' \
        "AddressSanitizer: stack-buffer-overflow in top_k "
    learner_is_told 12-generation/top_p \
        's|probabilities.scratch.i..token. = |probabilities[i] = |' \
        "; this is what you get when they are stored in the order of their size" \
        "no: tokens are taken in the order of their ids"
    learner_is_told 01-layernorm-vs-batchnorm/layernorm \
        's|(bias ? bias.i. : 0.0f)|(gain \&\& bias ? bias[i] : 0.0f)|' \
        "forward_gain_or_bias_may_be_null: out is wrong in " "; perhaps the bias is left out" \
        "no: this is what you get when the bias"
    learner_is_told 04-ffn-swiglu/swiglu 's|(1.0f - s)|(1.0f + s)|' "is wrong in " \
        "no: all outputs begin as 0" "no: with one thread" "no: wrong with" "no: fresh memory"
}

# Without FULL=1, the failure to work on first, in 12 lines of 80 columns; of stages, of the
# earliest that is wrong.
learner_reads() { # learner_reads NN-name/exercise "SED EXPRESSION" TEXT...; $stage: only that stage
    edited_solution "$1" "$2" STAGE="${stage:-}"
    shift 2
    said=$(grep -v '^make' "$W/told.out")
    if [ "$(printf '%s\n' "$said" | grep -c .)" -le 13 ] && ! printf '%s\n' "$said" |
        grep -v -e /told/ -e '^wrong ' -e '^right ' | grep -qE '.{81}'
    then good; else bad "make check of $e is more than 12 lines of 80: $said"; fi
    told "make check of $e" "$said" "$@"
}

first_of_all() {
    stage=
    layernorm=01-layernorm-vs-batchnorm/layernorm attention=07-attention/causal_attention
    learner_reads $layernorm 's|^        double exact = .*|        double exact = 0;|' \
        "forward_small_rows: out is wrong in 24 of 24 places; worst at [" \
        "this is what you get when the mean is not subtracted (that is RMSNorm) and " \
        " more tests for the same reason" \
        "step through it: make debug-01 EX=layernorm TEST=forward_small_rows" "no: backward"
    learner_reads $layernorm \
        's|^        double variance = |        double own; double variance = own + |' \
        "warning: 'own' " "uninitialized" "forward_small_rows: " "see the warning" \
        "no: a variable or an array is read before"
    learner_reads $layernorm '/^void layernorm_forward/i #include <stdio.h>
        s|mean.r. = mu;|& printf("mu of row %zu\\n", r);|' \
        "right " "forward_small_rows: passes" "printed: mu of row 5 (5 more lines)" \
        " more tests that pass printed something" "no: many_rows: "
    # Stages: the earliest that is written and wrong, though others name their mistakes.
    learner_reads $attention 's|return shape->causal ? t + 1|return shape->causal ? t|' \
        "stage 1: right; stage 2, what row t may see: wrong; stages 3-6: wrong" \
        "stage2_mask_causal: row 0 sees 0 positions" "TEST=stage2_mask_causal"
    todo='EXERCISE_TODO("07/causal_attention");'
    learner_reads $attention 's|return shape->causal ? t + 1|return shape->causal ? t|
        s|^#include "kernels/matmul.h"|&\n#include "base/error.h"|
        /^void attention_\(softmax\|forward\|backward\)/,/{$/s|{$|&\n    '"$todo"'|' \
        "stage 1: right; stage 2, what row t may see: wrong; stages 3-6: not written yet" \
        "stage2_mask_causal: row 0 sees 0 positions"
    stage=2
    learner_reads $attention 's|return shape->causal ? t + 1|return shape->causal ? t|' \
        "1 of 2 tests pass" "stage 2, what row t may see: wrong" "no: stage 3"
    stage=1
    learner_reads $attention 's|return shape->causal ? t + 1|return shape->causal ? t|' \
        "right 07-attention/causal_attention: all 2 tests of stage 1 pass"
    stage=
}

# Every test of an exercise that has stages is in exactly one of them, but for those of the whole
# file, page_....
stages_of_exercises() {
    for file in exercises/*/*.stages; do
        e=${file#exercises/} && e=${e%.stages}
        sed 's/^[0-9]* | [^|]* | //' "$file" | tr ' ' '\n' | sort >"$W/staged"
        test_names "$e" | grep -v '^page_' | sort >"$W/tests"
        if cmp -s "$W/staged" "$W/tests"; then good; else
            bad "$file: the tests in its stages are not those of tests/$e.c:" \
                "$(diff "$W/staged" "$W/tests")"
        fi
    done
    told "make check-07 STAGE=9" "$(make -s check-07 STAGE=9 2>&1 | head -n 1)" \
        "make: STAGE=9: causal_attention has the stages 1 2 3 4 5 6"
}

# make next goes by the files and the last checks, and make progress says what they said; both build
# nothing.
what_comes_next() {
    files=$W/next
    for e in $(exercises_of); do
        mkdir -p "$files/${e%/*}" && pristine_stub "$e" >"$files/$e.c"
    done
    next_is "00/matmul_backward, not started"
    e=00-tensors/matmul_backward
    cp solutions/$e.c "$files/$e.c"
    next_is "00/matmul_backward, " # an earlier check of another file does not count
    LEARNER=$files make -s check-00 EX=matmul_backward >/dev/null 2>&1
    next_is "00/softmax_cross_entropy, not started"
    told "make progress" "begins: $(LEARNER=$files make -s progress 2>&1 | head -n 1)" \
        "begins: 1 of $(exercises_of | grep -c .) exercises"
    echo '/* changed */' >>"$files/$e.c"
    next_is "00/matmul_backward, changed since its last check"
    for e in $(exercises_of); do
        told "make next before $e" "$(LEARNER=$W/none tools/learner/next.sh "$e")" \
            "next: $(short_name "$e"), " "no: in \"\""
    done
}

next_is() { told "make next" "$(LEARNER=$files make -s next 2>&1 | head -n 1)" "next: $1"; }

# Two checks at a time, of one file in one tree: both take it for right.
checks_at_once() {
    files=$W/at-once e=00-tensors/softmax_cross_entropy
    mkdir -p "$files/00-tensors" && cp "solutions/$e.c" "$files/$e.c"
    before=$(ls build)
    for i in 1 2 3 4; do
        LEARNER=$files make -s check-00 EX=softmax_cross_entropy >"$W/at-once.$i" 2>&1 &
    done
    wait
    if [ "$(cat "$W"/at-once.[1-4] | grep -c '^right ')" = 4 ]; then good; else
        bad "four checks at once: $(cat "$W"/at-once.[1-4])"
    fi
    if [ "$before" = "$(ls build)" ]; then good; else
        bad "make check leaves one of $(ls -d build/check-*)"
    fi
}

# A learner who works on while the stubs change: in a clone, in one of a fork in which the work is
# committed and of which there is no history, and in a tree without git or that git refuses.
own_folder() {
    e=00-tensors/adamw
    rm -rf "$W/upstream" "$W/clone" "$W/fork" "$W/shallow" "$W/zip"
    mkdir -p "$W/upstream" "$W/zip"
    cp -R Makefile .gitignore .clang-format common chapters exercises solutions tests tools \
        "$W/upstream"
    pristine_stub $e >"$W/upstream/exercises/$e.c"
    cp -R "$W/upstream/." "$W/zip"
    (cd "$W/upstream" && git init -q && git config user.name t && git config user.email t &&
        git add . && git commit -qm stubs) || bad "git init"
    git clone -q "$W/upstream" "$W/clone"
    (cd "$W/clone" && make -s own && cp "solutions/$e.c" "mine/$e.c") >"$W/own.out" 2>&1
    for file in "$e" 00-tensors/matmul_backward; do
        echo '/* changed */' >>"$W/upstream/tests/$file.stub"
    done
    cp "$W/upstream/tests/$e.stub" "$W/upstream/tests/00-tensors/new.stub"
    (cd "$W/upstream" && git add . && git commit -qm changed)
    (cd "$W/clone" && git pull -q && make -s own) >>"$W/own.out" 2>&1
    if cmp "solutions/$e.c" "$W/clone/mine/$e.c" && grep -q changed "$W/clone/mine/$e.stub" &&
        [ -e "$W/clone/mine/00-tensors/new.c" ] &&
        grep -q changed "$W/clone/mine/00-tensors/matmul_backward.c" &&
        [ -e "$W/clone/mine/00-tensors/matmul_backward.c.old" ] &&
        [ -z "$(git -C "$W/clone" status --short)" ]
    then good; else bad "make own before and after git pull: $(cat "$W/own.out")"; fi
    work_is_kept
    reset_without_git
}

# Files that make own finds in exercises/ are a learner's, committed or not, and stay in mine/.
work_is_kept() {
    git clone -q "$W/upstream" "$W/fork"
    (cd "$W/fork" && cp "solutions/$e.c" exercises/00-tensors &&
        git -c user.name=t -c user.email=t commit -qam written) || bad "git commit"
    git clone -q --depth 1 "file://$PWD/$W/fork" "$W/shallow"
    cp "$W/shallow/exercises/$e.c" "$W/shallow/exercises/00-tensors/adamw copy.c"
    : >"$W/shallow/exercises/00-tensors/.#adamw.c"
    (cd "$W/shallow" && make -s own && git fetch -q --unshallow && make -s own) >"$W/own.out" 2>&1
    set -- "$W/shallow/mine/00-tensors"/*copy* "$W/shallow/mine/00-tensors"/.#*
    if cmp "solutions/$e.c" "$W/shallow/mine/$e.c" && [ ! -e "$1" ] && [ ! -e "$2" ] &&
        grep -q "exercises, 0 of them new" "$W/own.out"
    then good; else bad "make own in a clone of depth 1: $(cat "$W/own.out")"; fi
    [ "$(id -u)" = 0 ] || return
    chown -R 12345 "$W/fork"
    (cd "$W/fork" && make -s next | head -n 1 && make -s own && make -s own) >"$W/own.out" 2>&1
    if cmp "solutions/$e.c" "$W/fork/mine/$e.c" && grep -q "dubious ownership" "$W/own.out" &&
        ! grep -q "00/adamw, not started" "$W/own.out"
    then good; else bad "make own where git refuses: $(cat "$W/own.out")"; fi
}

reset_without_git() {
    for once in first second; do
        echo "$once" >"$W/zip/exercises/$e.c" &&
            GIT_CEILING_DIRECTORIES="$PWD/$W" make -s -C "$W/zip" reset-00 EX=adamw FORCE=1
    done >"$W/reset.out" 2>&1
    if cmp "$W/zip/tests/$e.stub" "$W/zip/exercises/$e.c" &&
        grep -qx first "$W/zip/exercises/$e.c.old" && grep -qx second "$W/zip/exercises/$e.c.old2"
    then good; else bad "make reset without git: $(cat "$W/reset.out")"; fi
}

# A tree that cannot be written to (a file stands where build/ would be) is told in one line.
nothing_can_be_written() {
    tree=$W/read-only
    mkdir -p "$tree" && ln -sfn "$PWD"/* "$tree" && rm "$tree/build" && echo file >"$tree/build"
    for goal in run-00 check-00 "hint-00 EX=adamw" "diff-00 EX=adamw"; do
        said=$(make -s -C "$tree" $goal 2>&1 | grep -v '^make[^:]*: \*\*\*')
        case $said in
        *"
"*) bad "make $goal where nothing can be written: $said" ;;
        "make: cannot write to build"*) good ;;
        *) bad "make $goal where nothing can be written: $said" ;;
        esac
    done
}

# A program that crashes in a learner's code says how to learn where. What fails has an exit code of
# its own in a terminal, too, and so has a run without a test.
crash_and_terminal() {
    files=$W/crashes e=01-layernorm-vs-batchnorm/layernorm
    mkdir -p "$files/${e%/*}" &&
        sed 's|mean.r. = mu;|*(volatile int *)0 = 1;|' "solutions/$e.c" >"$files/$e.c"
    told "make run-01 of code that crashes" \
        "$(LEARNER=$files make -s run-01 MINE=01/layernorm 2>&1)" \
        "crashed with SIGSEGV; the line: make check-01"
    (ONLY=nosuchtest && . tools/make/lib.sh &&
        link_variant "solutions/$e.c" "$e" "$files/none" && run_lite "$files/none")
    told "no test" "exit code $? $(cat "$files/none.out")" "exit code 2" \
        ": no test ran: there is none called nosuchtest"
    command -v script >/dev/null || return
    said=$(LEARNER=$files script -qec "make -s check-01 EX=layernorm" /dev/null)
    told "a check in a terminal" "exit code $? $said" "exit code 2" "0 of 1 exercises pass"
    echo 'Test(' >"$files/$e.attack.c"
    said=$(LEARNER=$files script -qec "make -s attack-01 EX=layernorm" /dev/null)
    told "an attack in a terminal" "exit code $? $said" "exit code 2" "does not compile"
}

# A learner's output may hold any bytes; no control character and none that hides or turns text
# reaches the terminal.
learners_words() {
    printf '[RUN ] x::name\n\033[2J\302\233a\342\200\256\303\274\n[FAIL] x::name\n' >"$W/words.out"
    said=$(failures "$W/words")
    if [ "$said" = "$(printf 'name: ended the program, saying: ?[2J?a?\303\274')" ]; then good; else
        bad "a learner's words: $said"
    fi
}

# A helper that is not static: one line says so, and nothing passes before it is mended. The
# directory may be called anything.
helper_in_sight() {
    open="$W/it's |open"
    files=$open/01-layernorm-vs-batchnorm
    mkdir -p "$files"
    { cat solutions/01-layernorm-vs-batchnorm/welford.c &&
        echo 'float norm(float x) { return x; }'; } >"$files/welford.c"
    LEARNER=$open FULL=1 tools/learner/exercise.sh check 01-layernorm-vs-batchnorm welford \
        >"$W/open.out" 2>&1
    if [ $? = 1 ] && grep -qF "$files/welford.c: make \`norm\` static" "$W/open.out" &&
        grep -qx '0 of 1 exercises pass' "$W/open.out"
    then good; else bad "make check-01 with a helper that is not static: $(cat "$W/open.out")"; fi
}

# Helpers may have any name: each solution, taken for a learner's file, gets one for every function
# of the project, but for those that its headers declare, and chapter 13 writes what it writes
# without them.
borrowed_names() {
    files=$W/names options="--greedy --max-new-tokens 40"
    find "$B/common" "$B/chapters" "$B/solutions" -name '*.o' -exec nm -g {} + |
        awk 'NF == 3 && $3 != "main" && $3 ~ /^[A-Za-z0-9_]*$/ { print $3 }' |
        sort -u >"$W/project.names"
    for e in $(exercises_of); do
        case $e in 1[4-9]*) continue ;; esac # not in chapter 13's program
        mkdir -p "$files/${e%/*}"
        known=$($CC $ALL_FLAGS $INCLUDES -E "solutions/$e.c" | tr -cs 'A-Za-z0-9_' '\n' | sort -u)
        { cat "solutions/$e.c" && printf '%s\n' "$known" | comm -13 - "$W/project.names" |
            sed 's/.*/void &(void) { __builtin_trap(); }/'; } >"$files/$e.c"
    done
    make -s -j"$JOBS" WERROR=1 LEARNER="$files" MINE=all run-13 ARGS="$options" >"$W/names.out" \
        2>"$W/names.said"
    code=$?
    if [ $code = 0 ] &&
        build/13-kv-cache $options 2>/dev/null | cmp - "$W/names.out"; then good; else
        bad "make run-13 MINE=all with helpers named like functions of the project:" \
            "$(grep -v '^  compile' "$W/names.said" | head -n 5)"
    fi
}

# make debug-00 stops in the learner's function, knows its arguments, and goes up to the check that
# fails.
debugger() {
    if ! gdb -q -batch -ex run --args true 2>/dev/null | grep -q 'exited normally'; then
        echo "  skipped: make debug-00: gdb is missing or may not run a program here"
        return
    fi
    file=$W/debug/00-tensors/matmul_backward.c
    mkdir -p "$(dirname "$file")"
    sed 's|dbias\[j\] +=|dbias[j] =|' solutions/00-tensors/matmul_backward.c >"$file"
    printf '%s\n' 'print n_in' backtrace continue |
        LEARNER=$W/debug make -s debug-00 EX=matmul_backward TEST=dbias_sums_the_rows \
        >"$W/debug.out" 2>&1
    for said in 'Breakpoint 1, matmul_backward (' '$1 = 2' \
        "at $file:$(sed -n '/if (dx)/=' "$file")" \
        '[----]   dbias (the others are NULL) is wrong' '#2  ' 'CHECK_ADDED('; do
        if grep -qF -- "$said" "$W/debug.out"; then good; else
            bad "make debug-00 does not say '$said': $W/debug.out"
        fi
    done
}

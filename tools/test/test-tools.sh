# The part of test.sh for the tools: each does what it says, on files with a known result, and in a
# terminal of any width and language.

# foreign_locale: a language that writes 2,5 for 2.5 and has other words for Criterion's and the
# compiler's, so that the tools show that they do not depend on it; sets `foreign`, and LOCPATH
# where the system has no such language but can make one.
foreign_locale() {
    foreign=de_DE.UTF-8
    if [ "$(LC_ALL=$foreign locale decimal_point 2>/dev/null)" != , ]; then
        mkdir -p "$W/locale"
        localedef -i de_DE -f UTF-8 "$W/locale/$foreign" 2>/dev/null &&
            export LOCPATH="$PWD/$W/locale"
    fi
    [ "$(LC_ALL=$foreign locale decimal_point 2>/dev/null)" = , ] && return
    foreign=C
    missing "the tools in another language: there is no de_DE.UTF-8 here," \
        "and no localedef that makes it (package locales)"
}

# A figure drawn in another language has the same bytes.
plots_in_a_foreign_language() {
    [ "$foreign" != C ] || return
    for language in C "$foreign"; do
        LC_ALL=$language tools/docs/plots.sh --quick 04-ffn-swiglu >"$W/plots.out" 2>&1 ||
            { bad "make plots-04: $(tail -n 1 "$W/plots.out")"; return; }
        mkdir -p "$W/plots" && mv build/plots "$W/plots/$language"
    done
    if diff -rq "$W/plots/C" "$W/plots/$foreign"; then good; else
        bad "make plots-04 with LC_ALL=$foreign gives other bytes"
    fi
}

# Of a program that is none: what measures time runs when nothing else does, a claim that does not
# hold is told at the end, and what goes wrong otherwise ends the others.
plots_one_by_one() {
    cat >build/98-none <<END
#!/bin/sh
case \$1 in --list) printf 'slow\t\tx\nfalse\t\tx\nclock\ttimed\tx\n'; exit ;; esac
echo "== \$2: x"
case \$2 in
slow) echo \$\$ >$W/slow; sleep \$SLOW; rm $W/slow ;;
false) sleep 1; echo '98: claim does not hold: 1 is 2' >&2; exit \$FALSE ;;
clock) [ ! -e $W/slow ] && echo alone ;;
esac
END
    chmod +x build/98-none
    said=$(SLOW=2 FALSE=0 tools/docs/plots.sh 98-none 2>&1)
    told "make plots" "$?$said" "02 experiments, " " and 1 that run alone" "98 slow: about" \
        "98 clock: about" " alone "
    said=$(SLOW=2 FALSE=3 tools/docs/plots.sh 98-none 2>&1)
    told "make plots with a claim that does not hold" "exit code $? $said" "exit code 3" \
        " alone 98 false: claim does not hold: 1 is 2"
    said=$(SLOW=60 FALSE=1 tools/docs/plots.sh 98-none 2>&1)
    if [ $? = 1 ] && ! kill -0 "$(cat "$W/slow")" 2>/dev/null; then good; else
        bad "make plots with a program that fails: $said"
    fi
    rm build/98-none
}

# --- 5: the tools, on files with a known result ---------------------------------------------------
weave() { awk -v used=/dev/null -f tools/docs/values.awk -f tools/docs/weave.awk "$1"; }
decimals() { awk -f tools/docs/decimals.awk "$1"; }

# refused CHECK FILE: each line of the file is "message | line of a README" (@ begins another line):
# the check must fail on it with that message, at the last line.
refused() {
    while read -r line; do
        printf '%s\n' "${line#* | }" | tr @ '\n' >"$W/wrong.md"
        if "$1" "$W/wrong.md" >/dev/null 2>"$W/said"; then
            bad "a README with this line is taken for right: ${line#* | }"
        elif grep -qF "wrong.md:$(grep -c . "$W/wrong.md"): " "$W/said" &&
            grep -qF -- "${line%% | *}" "$W/said"; then
            good
        else
            bad "${line#* | } fails without saying '${line%% | *}': $(cat "$W/said")"
        fi
    done <"$2"
}

# Calls that a header does not allow are found, over several lines too; calls that it allows are
# not.
aliased_calls() {
    printf 'softmax_forward(x, x, 1, n, 1);\ndropout_forward(x,\n  f(x, x), n, p, r);\n' \
        >"$W/calls.c"
    if tools/test/aliases.sh "$W/calls.c"; then good; else bad "calls that headers allow"; fi
    printf 'rmsnorm_backward(dx, y + 1, dout, x,\n  rrms, y + 1, 2, 3);\n' >"$W/calls.c"
    told "a call with one array for dgain and gain" "$(tools/test/aliases.sh "$W/calls.c")" \
        "$W/calls.c: rmsnorm_backward has y + 1 as dgain and as gain: "
}

tools() {
    if weave tests/tools/values.md | cmp - tests/tools/values.expected; then good; else
        bad "tests/tools/values.md"
    fi
    refused weave tests/tools/values.wrong
    if decimals tests/tools/decimals.md; then good; else bad "tests/tools/decimals.md"; fi
    refused decimals tests/tools/decimals.wrong
    aliased_calls
    experiments
    programs
    others_tokenizer
    published_texts
    published_tuning
    first_visit
    names
    progress_fits
    arguments
    wrong_on_purpose
    plots_in_a_foreign_language
    plots_one_by_one
    waiting
    bits_32
    learners_tools
    other_machines
    fetches
    attacks_that_fail
    figures
    tests_without_criterion
    if make -s compile-commands >/dev/null && ! grep -q as-learner compile_commands.json; then good
    else bad "make compile-commands"; fi
}

# An experiment is found by its name: --experiment batch-size is experiment_batch_size in
# experiments/batch_size.c. What measures time is called so.
experiments() {
    for chapter in $(cd chapters && ls); do
        [ -x "build/$chapter" ] || continue
        "build/$chapter" --list | cut -f 1 | tr - _ >"$W/experiments"
        if [ -s "$W/experiments" ]; then good; else
            bad "build/$chapter --list names no experiment"
        fi
        while read -r name; do
            file=chapters/$chapter/experiments/$name.c
            if grep -q "^void experiment_$name(" "$file"; then good; else
                bad "chapters/$chapter/experiments/$name.c: there is no experiment_$name"
            fi
        done <"$W/experiments"
    done
    told "07-attention --list" "$(build/07-attention --list)" "cost	timed	"
}

# Chapter 16, where MPI is.
ranks() {
    make -s test-ranks >"$W/ranks" 2>&1 || bad "make test-ranks: $(tail -n 1 "$W/ranks")"
    grep -c '^passed' "$W/ranks" | sed 's/$/ as they should/; s/^/  /'
    grep '^passed' "$W/ranks" >>"$W/results.more"
    sed -n 's/^failed */failed /p' "$W/ranks" >>"$W/results.more"
    sed -n 's/^failed/  FAILED/p; s/^SKIPPED/  &/p' "$W/ranks"
}

# Each line of programs.txt is "exit code | message | command": the one line that the command must
# say.
programs() {
    grep -v -e '^#' -e '^$' tests/tools/programs.txt >"$W/commands"
    while read -r line; do
        code=${line%% | *} rest=${line#* | }
        sh -c "${rest#* | }" >/dev/null 2>"$W/said" </dev/null
        got=$?
        if [ "$got" = "$code" ] && [ "$(grep -c . "$W/said")" = 1 ] &&
            grep -qF -- "${rest%% | *}" "$W/said"; then
            good
        else
            bad "${rest#* | }: exit code $got, expected $code and '${rest%% | *}': $(cat "$W/said")"
        fi
    done <"$W/commands"
}

# Where transformers is installed: its AutoTokenizer reads what a training saves, with bytes as
# tokens and with a vocabulary.
others_tokenizer() {
    ids='import sys, transformers
tokenizer = transformers.AutoTokenizer.from_pretrained(sys.argv[1])
print(*tokenizer.encode(open(sys.argv[2]).read()))'
    if ! python3 -c 'import transformers' 2>/dev/null; then
        echo "  skipped: AutoTokenizer on our files: python3 has no transformers"
        return
    fi
    for size in 0 300; do
        build/11-training --steps 1 --vocab-size $size --overwrite --save "$W/saved" >/dev/null
        build/09-tokenizer encode --vocab "$W/saved" LICENSE | tr '\n' ' ' | sed 's/ $//' >"$W/ids"
        python3 -c "$ids" "$W/saved" LICENSE 2>/dev/null | tr -d '\n' | cmp -s - "$W/ids" && good ||
            bad "AutoTokenizer reads other ids, vocabulary $size"
    done
}

# What lesson 18 quotes of SmolLM2 is what the program writes, right and with three mistakes.
published_texts() {
    if [ -z "${SMOLLM2_GGUF:-}" ]; then
        echo "  skipped: what lesson 18 quotes: SMOLLM2_GGUF names no file"
        return
    fi
    prompt='Once upon a time there was a small robot who'
    for mistake in A=18/rope/base-fixed B=18/gqa_step/modulo C= D=18/rope/neighbours; do
        told "$mistake on SmolLM2" "$(make -s run-18 WRONG="${mistake#*=}" ARGS="--model \
            $SMOLLM2_GGUF --prompt '$prompt' --greedy --max-new-tokens 40" 2>/dev/null)" \
            "$prompt $(sed -n "s| / | |; s/^${mistake%=*}  //p" chapters/18-llama/README.md)"
    done
}

# What lesson 19 tells of a tuning of SmolLM2.
published_tuning() {
    old_text=${TINYSHAKESPEARE:-data/tinyshakespeare.txt}
    if [ -z "${SMOLLM2_GGUF:-}" ] || [ ! -f "$old_text" ]; then
        echo "  skipped: what lesson 19 quotes: SMOLLM2_GGUF names no file, or there is no $old_text"
        return
    fi
    told "lesson 19 on SmolLM2" "$(make -s run-19 ARGS="--from $SMOLLM2_GGUF --old-text $old_text \
        --text chapters/19-fine-tuning/recaps.txt --context 64 --stories 2 --lora 8 --steps 40 \
        --prompt 'A residual connection' --greedy --max-new-tokens 30" 2>/dev/null)" \
        "$(sed -n '/^A residual connection refers/,/^A model learns from the$/p' \
            chapters/19-fine-tuning/README.md | tr -s ' \n' ' ' | sed 's/ $//')"
}

# A typed value that must be a name is refused in one line, which may go on below, indented. One
# that is a text, or goes to a script, is not run: MARK is a file that a command in it would make.
names() {
    mark=$W/was-run
    grep -v -e '^#' -e '^$' tests/tools/typed.txt | sed "s#MARK#$mark#g" >"$W/typed"
    while IFS= read -r line; do
        text=${line#* | } expected=${line%% | *}
        said=$(make -s "${text%% | *}" "${text#* | }" 2>&1 >/dev/null </dev/null |
            grep -v '^[^ ]*: \*\*\*')
        case $(printf '%s\n' "$said" | tr -s ' \n' ' ') in
        *"$expected"*) one_line=$(printf '%s\n' "$said" | grep -c '^[^ ]') ;;
        *) one_line=0 ;;
        esac
        if [ "$one_line" = 1 ] && [ ! -e "$mark" ]; then good; else bad "make $text: $said"; fi
        rm -f "$mark"
    done <"$W/typed"
    if make -s class DIR="$W/it's" COURSE=nowhere >/dev/null &&
        [ -f "$W/it's/COURSE" ]; then good; else
        bad "make class DIR=it's"
    fi
    TERMINAL="svg'; system('touch $mark'); '" tools/docs/plots.sh --quick 04-ffn-swiglu >/dev/null \
        2>&1
    if [ -e "$mark" ]; then bad "make plots runs a command that stands in TERMINAL"; else good; fi
}

# A progress bar stays in its line, however narrow the terminal, and says nothing in a pipe.
progress_fits() {
    training="build/11-training --steps 30 --out $W"
    for columns in 40 80; do
        script -qec "stty cols $columns; $training" /dev/null >"$W/bars" </dev/null 2>&1
        widest=$(grep -a left "$W/bars" | tr '\r' '\n' | grep -a left | sed 's/.\[K//' |
            awk 'length > n { n = length } END { print n + 0 }')
        if [ "$widest" -gt 20 ] && [ "$widest" -lt $columns ]; then good; else
            bad "a progress bar of $widest columns in a terminal of $columns"
        fi
    done
    if $training 2>&1 | grep -q left; then bad "a progress bar in a pipe"; else good; fi
}

# ARGS: quotes hold words together, the program reads standard input, and its exit code is make's
# business.
arguments() {
    told "quotes in ARGS" "$(make -s run-09 ARGS="encode 'a \"\$HOME'" 2>&1)" "'a \"\$HOME'"
    told "standard input" "$(echo 79 75 | make -s run-09 ARGS=decode 2>&1)" "OK"
    told "half a quotation in ARGS" "$(make -s run-09 ARGS="show 'a" 2>&1)" \
        "ARGS=show 'a: a quote is not closed" "Error 2"
}

# WRONG runs a program on a mutant, and shows what its test says of it; a name that is none is
# refused with those there are.
wrong_on_purpose() {
    said=$(make -s run-01 WRONG=01/layernorm/columns 2>"$W/said" | sed -n 4p)
    if [ -n "$said" ] && [ "$said" != "$(build/01-layernorm-vs-batchnorm | sed -n 4p)" ] &&
        grep -q '^wrong: columns in 01/layernorm;' "$W/said"
    then good; else bad "make run-01 WRONG=01/layernorm/columns: $said $(cat "$W/said")"; fi
    told "make check-01 WRONG" "$(make -s check-01 WRONG=01/layernorm/no-mean 2>&1)" "RMSNorm"
    told "make run-01 WRONG" "$(make -s run-01 WRONG=01/layernorm/none 2>&1)" \
        "WRONG=01/layernorm/none: " "there are: bessel eps-outside-root"
}

# Scripts that start programs tell OpenMP how threads wait (tools/learner/openmp-wait.sh); a choice
# of the user stays, and is the only one.
waiting() {
    unchosen="-u OMP_WAIT_POLICY -u GOMP_SPINCOUNT -u KMP_BLOCKTIME -u KMP_LIBRARY"
    for choice in '' OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=777 KMP_BLOCKTIME=7 \
        KMP_LIBRARY=throughput OMP_WAIT_POLICY=; do
        chosen=$(env -u ARGS $unchosen $choice tools/learner/run.sh env |
            grep -E '^(OMP_WAIT_POLICY|GOMP_SPINCOUNT|KMP_BLOCKTIME|KMP_LIBRARY)=' | sort |
            tr '\n' ' ')
        expected="${choice:-GOMP_SPINCOUNT=5000 KMP_BLOCKTIME=1} "
        if [ "$chosen" = "$expected" ]; then good; else
            bad "how threads wait, with '$choice': $chosen"
        fi
    done
    for script in tools/learner/tour.sh tools/docs/plots.sh; do
        if grep -qx '\. tools/learner/openmp-wait.sh' $script; then good; else
            bad "$script: does not say how threads wait"
        fi
    done
}

# Where size_t has 32 bits, no number is cut off unnoticed: the compiler would warn.
bits_32() {
    if ! printf '#include <errno.h>\n#include <stdio.h>\n' |
        $CC -m32 $ALL_FLAGS -fsyntax-only -x c - 2>/dev/null; then
        echo "  skipped: size_t of 32 bits: $CC -m32 does not compile here (Debian: gcc-multilib)"
        return
    fi
    # their headers are not here with 32 bits
    others=$(grep -l '^COMPILER' chapters/*/chapter.mk | cut -d / -f 2)
    files=$(ls common/*/*.c chapters/*/*.c chapters/*/*/*.c solutions/*/*.c solutions/*/*/*.c |
        grep -vF "${others:-none}")
    if $CC -m32 $ALL_FLAGS -Werror $INCLUDES -fsyntax-only $files 2>"$W/bits_32"
    then good; else bad "size_t of 32 bits: $(grep -m 5 error: "$W/bits_32")"; fi
}

# Every figure draws from the data that are here, whole or not at all.
figures() {
    cp -R plots "$W/figures"
    for script in plots/*/*.gp; do
        folder=$W/figures/$(basename "${script%/*}")
        if tools/docs/draw.sh "$script" "$folder" >"$W/drawn" 2>&1 &&
            [ "$(grep -c . "$W/drawn")" = 1 ]
        then good; else bad "$script: $(cat "$W/drawn")"; fi
    done
    folder=$W/figures/11-training
    echo old >"$folder/loss.svg"
    (ulimit -f 8 && trap '' XFSZ &&
        tools/docs/draw.sh plots/11-training/loss.gp "$folder") >"$W/drawn" 2>&1
    if [ $? = 1 ] && grep -qx old "$folder/loss.svg" && grep -q 'did not finish it' "$W/drawn" &&
        ! ls "$folder"/*.new-* >/dev/null 2>&1
    then good; else bad "a figure that does not fit on the disk: $(cat "$W/drawn")"; fi
}

# tests/harness/test_harness.c, which checks exercises, comes to what Criterion comes to: of
# fixtures, a test that ends by exit(1), failed checks and a file that ends its tests by a crash.
tests_without_criterion() {
    e=01-layernorm-vs-batchnorm/layernorm
    make -s WERROR=1 "$B/lite/common/file" "$B/lite/$e" ||
        bad "the tests without Criterion do not build"
    same_verdicts "$B/test/common/file" "$B/lite/common/file"
    same_verdicts "$B/test/$e" "$B/lite/$e"
    { read -r compiler && read -r libraries; } <"$B/rest/$e.link"
    mutants=$(find "$W/mutants/${e%/*}" -name "layernorm-*.o" | sed 's/\.o$//')
    for wrong in "$W/stubs/$e" $mutants; do
        $compiler "$B/rest/$e.o" "$wrong.o" $libraries -lcriterion -o "$wrong-criterion"
        run_tests "$wrong-criterion"
        same_verdicts "$wrong-criterion" "$wrong"
    done
}

same_verdicts() { # same_verdicts BINARY-THAT-RAN HARNESS-BINARY
    run_lite "$2"
    for tap in "$1.tap" "$2.tap"; do
        sed -nE 's/^((not )?ok - [^ ]*).*/\1/p' "$tap" | sort >"$tap.verdicts"
    done
    if [ -s "$1.tap.verdicts" ] && cmp -s "$1.tap.verdicts" "$2.tap.verdicts" &&
        grep -q '^1\.\.' "$2.tap"; then good; else
        bad "${2#"$B/"}: other verdicts than Criterion's:" \
            "$(diff "$1.tap.verdicts" "$2.tap.verdicts" | tr '\n' ' ')"
    fi
}


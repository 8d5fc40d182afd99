#!/bin/sh
# make tour: from a fresh clone to a GPT-2 that writes text, in about five minutes behind the
# installation. Builds, runs every chapter's demonstration (tour.txt says what is shown of
# it), trains a small model with a progress bar, for as long as there is time, draws its
# curves, and lets it write through the KV cache.
set -eu
. tools/learner/openmp-wait.sh
. tools/learner/clock.sh
started=$(seconds_now)
at_most=285 # seconds
most_steps=4000
out=build/tour
table=tools/learner/tour.txt

elapsed() { calculate "$(seconds_now) - $started"; }
clock() {
    awk -v s="$1" 'BEGIN { s = s < 0 ? 0 : int(s + 0.5); printf "%d:%02d", s / 60, s % 60 }'
}
calculate() { awk "BEGIN { print $1 }"; }

# say TITLE [SECONDS]: a stage begins, and so much is left with it.
say() { printf '\n== %s%s\n' "$1" "${2:+; about $(clock "$2") left}"; }

# Chapter 11's experiment loss, with any number of steps.
training="build/11-training --vocab-size 512 --layers 4 --width 128 --context 64 --batch 16
    --warmup 100 --rate 1.5e-3 --validate-every 200 --out $out"

# Steps a second, measured for five seconds behind one to begin. An interrupt ends a training
# behind a step, of which it tells the number.
measure() {
    $training --steps $most_steps >$out/trial 2>&1 &
    sleep 6
    kill -TERM $! 2>/dev/null || true
    wait $! || true
    awk -v all=$most_steps '/^interrupted after step/ { made = $4 } { last = $0 }
        /^validation loss/ { made = all }
        END { if (made) print made / 5; else { print last >"/dev/stderr"; exit 1 } }' $out/trial
}

# How many hundreds of steps fit before the end, with so many seconds to do besides.
steps_that_fit() {
    awk -v rate="$rate" -v seconds="$(calculate "$at_most - $(elapsed) - $1")" \
        -v most=$most_steps 'BEGIN {
        steps = int(rate * seconds / 100) * 100
        print (steps > most ? most : steps < 200 ? 200 : steps)
    }'
}

column() { awk -F ' [|] ' -v number="$1" -v column="$2" '$1 == number { print $column }' $table; }
seconds_of() { column "$1" 2 | grep . || echo 1; }

# Programs take as much longer here than on the table's machine as training does (25 steps a
# second there), until one has run: then as they did.
left() { # left: seconds until the end
    calculate "$scale * $to_do + $(steps_that_fit "$(calculate "$scale * $to_do")") / $rate"
}

demonstrate() { # demonstrate NN-name: what it shows, and all of it in build/tour
    number=${1%%-*} begun=$(seconds_now)
    launch=chapters/$1/launch.sh
    [ -x "$launch" ] || launch=
    say "$1: make run-$number" "$(left)"
    column "$number" 3
    $launch "build/$1" >"$out/$1.txt" || { tail -n 5 "$out/$1.txt"; return 1; }
    awk -v pattern="$(awk -F ' [|] ' -v number="$number" '$1 == number {
        sub(/^[^|]*[|][^|]*[|][^|]*[|] /, ""); gsub(/\\/, "\\\\"); print }' $table)" \
        '$0 ~ pattern && ++n <= 3 { print "   " substr($0, 1, 76) }' "$out/$1.txt"
    took=$(calculate "$took + $(seconds_now) - $begun")
    done_of_table=$(calculate "$done_of_table + $(seconds_of "$number")")
    to_do=$(calculate "$to_do - $(seconds_of "$number")")
    # A table's second that two measurements say: the more has run, the more the clock's.
    scale=$(calculate "($took + 2 * 25 / $rate) / ($done_of_table + 2)")
}

say "building"
tools/learner/build.sh all

mkdir -p $out
echo "measuring how fast this machine trains (6 s)"
rate=$(measure)
demos=$(cd chapters && ls | grep -v '^1[123]-')
demos=$(for c in $demos; do [ ! -x "build/$c" ] || echo "$c"; done)
writing=8 to_do=8 took=0 done_of_table=0
scale=$(calculate "25 / $rate")
for c in $demos; do to_do=$(calculate "$to_do + $(seconds_of "${c%%-*}")"); done
for c in $demos; do demonstrate "$c"; done

steps=$(steps_that_fit "$(calculate "$scale * $writing")")
say "11-training: GPT-2, 0.9 million parameters, $steps steps" "$(left)"
echo "It learns a vocabulary and the built-in language; the model is build/model."
$training --steps "$steps" --log loss --overwrite --save build/model >$out/11-training.txt
tail -n 3 $out/11-training.txt | cut -c 1-79
for figure in loss block-gradients; do
    tools/docs/draw.sh "plots/11-training/$figure.gp" $out >/dev/null
done
# The same seed gives the same bytes: 4000 steps end at 0.750. Fewer end higher.
awk -F , -v steps="$steps" 'END {
    bound = steps >= 4000 ? 0.80 : steps >= 2000 ? 0.82 : steps >= 1000 ? 0.84 : \
        steps >= 500 ? 0.88 : 1.05
    ok = $1 == steps && $3 < bound
    if (!ok)
        printf "%d steps end at a validation loss of %.3f; expected: below %.2f\n", $1, $3, bound
    exit !ok
}' $out/loss.csv

say "12-generation: a distribution under three settings" "$(calculate "$scale * 8")"
build/12-generation >$out/12-generation.txt 2>/dev/null
sed -n '1p;2p;5p' $out/12-generation.txt | cut -c 1-79

say "13-kv-cache: the model that you just trained writes" "$(calculate "$scale * 4")"
write="build/13-kv-cache --model build/model --num-return-sequences 8 --temperature 0.6
    --max-new-tokens 63 --grade"
$write 2>/dev/null | grep . >$out/13-kv-cache.txt
# Three of the texts, and what the grammar says of all.
some_of() { awk '/^--- [2356]/ { off = 1 } /^--- [147]|^[0-9]+ lines/ { off = 0 } !off' "$1" |
    fold -s -w 79; }
some_of $out/13-kv-cache.txt
if [ "$steps" != $most_steps ]; then
    printf '\nThat is what %s steps are worth. The same training with %s steps writes\n' \
        "$steps" $most_steps
    printf '(tools/learner/tour-text.txt):\n\n'
    some_of tools/learner/tour-text.txt
fi

printf '\n== done in %s. Where to go from here\n' "$(clock "$(elapsed)")"
cat <<'END'
  chapters/00-tensors/README.md     the first lesson
  make next                         your first exercise, what to read before it
  make run-13 MINE=all              the same GPT-2 on the layers that you wrote
  make run-13 ARGS="--model build/model --prompt 'Anna puts'"
  build/tour/                       what each chapter printed, and loss.svg:
                                    this training, beside the entropy
END

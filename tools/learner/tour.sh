#!/bin/sh
# make tour: from a fresh clone to a GPT-2 that writes text, in about five minutes after the
# installation. Builds, runs every chapter's program, of which it shows a table (tour.txt,
# tour.awk), trains a small model with a progress bar, for as long as there is time, draws its
# loss, and lets it write through the KV cache.
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

# with_seconds COMMAND...: a terminal shows how long it has run.
if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then exec 3>&2; else exec 3>/dev/null; fi
with_seconds() {
    (n=0; while sleep 1 && kill -0 $$; do printf '\r  %s s' $((n += 1)); done) >&3 2>/dev/null &
    ticker=$!
    "$@" && code=0 || code=$?
    kill $ticker 2>/dev/null || true
    printf '\r\033[K' >&3
    return $code
}

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

# show NN-name: what it shows, as a table; all of its output is in build/tour.
show() {
    number=${1%%-*} launch=chapters/$1/launch.sh
    [ -x "$launch" ] || launch=
    column "$number" 3
    with_seconds $launch "build/$1" >"$out/$1.txt" 2>"$out/errors" || {
        tail -n 5 "$out/$1.txt" "$out/errors"
        return 1
    }
    sed "s/^/$number /" "$out/$1.txt" | awk -f tools/learner/tour.awk $table -
}

demonstrate() { # demonstrate NN-name: shows it, and learns from its time
    begun=$(seconds_now)
    say "$1" "$(left)"
    show "$1"
    took=$(calculate "$took + $(seconds_now) - $begun")
    done_of_table=$(calculate "$done_of_table + $(seconds_of "$number")")
    to_do=$(calculate "$to_do - $(seconds_of "$number")")
    # A table's second that two measurements say: the more has run, the more the clock's.
    scale=$(calculate "($took + 2 * 25 / $rate) / ($done_of_table + 2)")
}

mkdir -p $out
if [ $# -gt 0 ]; then # tour.sh NN-name...: these alone
    for c in "$@"; do show "$c"; done
    exit
fi

echo "The course in five minutes: what each chapter's program shows; then a small"
echo "GPT-2 is trained here, and writes."
say "building"
tools/learner/build.sh all

echo "measuring how fast this machine trains (6 s)"
rate=$(with_seconds measure)
demos=$(cd chapters && ls | grep -v '^1[13]-')
demos=$(for c in $demos; do [ ! -x "build/$c" ] || echo "$c"; done)
writing=4 to_do=4 took=0 done_of_table=0
scale=$(calculate "25 / $rate")
for c in $demos; do to_do=$(calculate "$to_do + $(seconds_of "${c%%-*}")"); done
for c in $demos; do demonstrate "$c"; done

steps=$(steps_that_fit "$(calculate "$scale * $writing")")
say "11-training: GPT-2, 0.9 million parameters, $steps steps" "$(left)"
echo "It learns a small language; the lowest line is the best that a model can do."
$training --steps "$steps" --log loss --overwrite --save build/model >$out/11-training.txt
awk -f tools/learner/draw-loss.awk $out/loss.csv
grep '^validation loss' $out/11-training.txt
# The same seed gives the same bytes: 4000 steps end at 0.750. Fewer end higher.
awk -F , -v steps="$steps" 'END {
    bound = steps >= 4000 ? 0.80 : steps >= 2000 ? 0.82 : steps >= 1000 ? 0.84 : \
        steps >= 500 ? 0.88 : 1.05
    ok = $1 == steps && $3 < bound
    if (!ok)
        printf "%d steps end at a validation loss of %.3f; expected: below %.2f\n", $1, $3, bound
    exit !ok
}' $out/loss.csv

say "13-kv-cache: the model that you just trained writes" "$(calculate "$scale * $writing")"
with_seconds build/13-kv-cache --model build/model --num-return-sequences 8 --temperature 0.6 \
    --max-new-tokens 63 --grade 2>/dev/null | grep . >$out/13-kv-cache.txt
# Three of the texts, and what the grammar says of all.
some_of() { awk '/^---/ { off = $2 % 3 != 1 } /^[0-9]+ texts/ { off = 0 } !off' "$1" |
    fold -s -w 72; }
some_of $out/13-kv-cache.txt
if [ "$steps" != $most_steps ]; then
    printf '\nThat is what %s steps are worth. The same training with %s steps writes\n' \
        "$steps" $most_steps
    printf '(tools/learner/tour-text.txt):\n\n'
    some_of tools/learner/tour-text.txt
fi

printf '\n== done in %s\n' "$(clock "$(elapsed)")"
drawn=
if command -v gnuplot >/dev/null 2>&1; then
    for figure in loss block-gradients; do
        tools/docs/draw.sh "plots/11-training/$figure.gp" $out >/dev/null 2>$out/errors
    done
    drawn=", and loss.svg"
fi
cat <<END
That was the course: each chapter explains one part, and you write it. The model
is in build/model, what the chapters printed is in build/tour$drawn.

To look at:
  chapters/00-tensors/README.md    the first lesson
  plots/README.md                  all figures
To type:
  make run-05 ARGS="--help"
      any chapter's program
  make run-13 ARGS="--model build/model --prompt 'Anna puts'"
      the model goes on with your words
  make run-13 ARGS="--model build/model --prompt 'Anna puts' --draw look.svg"
      a picture: where each head looks, what each block adds, what comes next
  make run-13 WRONG=01/layernorm/columns ARGS="--model build/model"
      the same model, but its LayerNorm normalizes columns, as BatchNorm does
  make setup BOOK=1 && make book
      the lessons as pages, with programs that run in them, and one token drawn
      on its way through this model (one-token.html); fetches 420 MB
  make next
      begin: your first exercise, and what to read before it
END

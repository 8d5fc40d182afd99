#!/bin/sh
# make tour: from a fresh clone to a GPT-2 that writes text, in less than five minutes. Builds, runs every chapter's
# demonstration, trains a small model with a progress bar, for as long as there is time, draws its curves, and lets it write
# through the KV cache.
set -eu
. tools/learner/waiting.sh
started=$(date +%s)
at_most=285 # seconds
out=build/tour

# The machine is measured by its training steps a second. On one that makes 25, a demonstration takes two seconds and each of
# the two programs that write takes four.
demo_seconds=2 writing_seconds=8
elapsed() { echo $(($(date +%s) - started)); }
minutes() { echo "$(($1 / 60)) min $(($1 % 60)) s"; }

# What so many seconds are on this machine.
here() { awk "BEGIN { print int($1 * 25 / $rate + 0.5) }"; }

# say WHAT [SECONDS]: a stage begins, and so much is left with it.
say() {
    if [ -n "${2:-}" ]; then printf '\n== %s; about %s left\n' "$1" "$(minutes "$2")"; else printf '\n== %s\n' "$1"; fi
}

# Chapter 11's experiment loss, with any number of steps.
training="build/11-training --vocab-size 512 --layers 4 --width 128 --context 64 --batch 16 --warmup 100 --rate 1.5e-3 \
    --validate-every 200 --out $out"

# Steps a second, measured for five seconds behind one to begin. An interrupt ends a training behind a step, of which it tells
# the number.
measure() {
    $training --steps 4000 >$out/trial 2>&1 &
    sleep 6
    kill -TERM $! 2>/dev/null || true
    wait $! || true
    awk '/^interrupted after step/ { made = $4 } /^validation loss/ { made = 4000 } { last = $0 }
        END { if (made) print made / 5; else { print last >"/dev/stderr"; exit 1 } }' $out/trial
}

# How many hundreds of steps fit before the end, of at most 4000.
steps_that_fit() {
    awk -v rate="$rate" -v seconds=$((at_most - $(elapsed) - $1)) 'BEGIN {
        steps = int(rate * seconds / 100) * 100
        print (steps > 4000 ? 4000 : steps < 200 ? 200 : steps)
    }'
}
training_seconds() { awk "BEGIN { print int($steps / $rate) }"; }

say "building (make)"
make -s -j"$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" all

mkdir -p $out
rate=$(measure)
demos=$(cd chapters && for chapter in *; do [ ! -x "../build/$chapter" ] || echo "$chapter"; done | grep -v '^1[1-3]-')
n=$(echo "$demos" | grep -c .)
steps=$(steps_that_fit "$(here $((demo_seconds * n + writing_seconds)))")
echo "this machine makes $rate training steps a second: there is time for $steps of them, about $(minutes "$(training_seconds)")"

for chapter in $demos; do
    say "$chapter (make run-${chapter%%-*})" $(($(here $((demo_seconds * n + writing_seconds))) + $(training_seconds)))
    "build/$chapter"
    n=$((n - 1))
done

writing=$(here $writing_seconds)
steps=$(steps_that_fit "$writing")
say "11-training: a GPT-2 of 0.9 million parameters learns a vocabulary, then the built-in language in $steps steps (build/model)" \
    $((writing + $(training_seconds)))
$training --steps "$steps" --log 11-loss --save build/model
for figure in 11-loss 11-block-gradients; do
    tools/docs/draw.sh "plots/$figure.gp" $out "$out/$figure.svg"
done

# The same seed gives the same bytes: 200 steps end at 0.987, 500 at 0.825, 1000 at 0.803, 2000 at 0.778, 3000 at 0.751,
# 4000 at 0.747.
awk -F , -v steps="$steps" 'END {
    bound = steps >= 4000 ? 0.80 : steps >= 2000 ? 0.82 : steps >= 1000 ? 0.84 : steps >= 500 ? 0.88 : 1.05
    printf "%d steps end at a validation loss of %.3f; expected: below %.2f\n", $1, $3, bound
    exit !($1 == steps && $3 < bound)
}' $out/11-loss.csv

say "12-generation: what the settings do (make run-12)" "$writing"
build/12-generation

say "13-kv-cache: the trained model writes (make run-13 ARGS=\"--model build/model\")" $((writing / 2))
build/13-kv-cache --model build/model --num-return-sequences 8 --temperature 0.6 --max-new-tokens 63 --grade

printf '\n== done in %s. Where to go from here\n' "$(minutes "$(elapsed)")"
cat <<'END'
  build/tour/11-loss.svg                 the training you just saw, against the entropy of the language
  chapters/00-tensors/README.md          the first lesson; the others follow by number
  make check-00                          your first exercises; make progress shows how far you are
  make run-13 MINE=all                   the same GPT-2 on the layers that you wrote
  make run-13 ARGS="--model build/model --prompt 'Anna puts'"
END

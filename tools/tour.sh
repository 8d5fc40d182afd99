#!/bin/sh
# make tour: from a fresh clone to a GPT-2 that writes text, in less than five minutes. Builds, runs every chapter's
# demonstration, trains a small model with a progress bar, for as long as there is time, draws its curves, and lets it write
# through the KV cache.
set -eu
started=$(date +%s)
at_most=285 # seconds
out=build/tour

# The seconds that the stages take where the whole takes 200: what is still to come is as slow as what has been, and the
# training fills what is left.
share_build=20 share_demo=2 share_training=146 share_writing=6
share_done=0
elapsed() { echo $(($(date +%s) - started)); }
minutes() { echo "$(($1 / 60)) min $(($1 % 60)) s"; }

say() { # say SHARE WHAT: a stage begins
    if [ $share_done -gt 0 ]; then
        left=$(($(elapsed) * (200 - share_done) / share_done))
        [ $(($(elapsed) + left)) -le $at_most ] || left=$((at_most > $(elapsed) ? at_most - $(elapsed) : 0))
        printf '\n== %s; about %s left\n' "$2" "$(minutes $left)"
    else
        printf '\n== %s\n' "$2"
    fi
    share_done=$((share_done + $1))
}

# Chapter 11's experiment loss, with any number of steps.
training="build/11-training --vocab-size 512 --layers 4 --width 128 --context 64 --batch 16 --warmup 100 --rate 1.5e-3 \
    --validate-every 200 --out $out"

# "RATE STEPS": what the machine makes in a second, measured for five behind one to begin, and how many hundreds of steps fit
# in SECONDS. An interrupt ends a training behind a step, of which it tells the number.
steps_in() { # steps_in SECONDS
    $training --steps 4000 >$out/trial 2>&1 &
    sleep 6
    kill -TERM $! 2>/dev/null || true
    wait $! || true
    awk -v seconds="$1" '/^interrupted after step/ { made = $4 } /^validation loss/ { made = 4000 } { last = $0 }
        END {
            if (!made) { print last >"/dev/stderr"; exit 1 }
            steps = int(made / 5 * seconds / 100) * 100
            print made / 5, (steps > 4000 ? 4000 : steps < 200 ? 200 : steps)
        }' $out/trial
}

say $share_build "building (make)"
make -s -j"$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" all

for chapter in $(cd chapters && ls); do
    case $chapter in 1[1-3]-*) continue ;; esac
    [ -x "build/$chapter" ] || continue
    say $share_demo "$chapter (make run-${chapter%%-*})"
    "build/$chapter"
done

writing=$(($(elapsed) * 2 * share_writing / share_done))
say $share_training "11-training: a GPT-2 of 0.9 million parameters learns a vocabulary, then the built-in language (build/model)"
mkdir -p $out
seconds=$((at_most - $(elapsed) - writing - 6))
trial=$(steps_in $seconds)
rate=${trial% *} steps=${trial#* }
lasts=$(minutes "$(awk "BEGIN { print int($steps / $rate) }")")
echo "this machine makes $rate steps a second: training $steps steps, about $lasts"
$training --steps "$steps" --log 11-loss --save build/model
for figure in 11-loss 11-block-gradients; do
    tools/draw.sh "plots/$figure.gp" $out "$out/$figure.svg"
done

# The same seed gives the same bytes: 200 steps end at 0.987, 500 at 0.825, 1000 at 0.803, 2000 at 0.778, 3000 at 0.751,
# 4000 at 0.747.
awk -F , -v steps="$steps" 'END {
    bound = steps >= 4000 ? 0.80 : steps >= 2000 ? 0.82 : steps >= 1000 ? 0.84 : steps >= 500 ? 0.88 : 1.05
    printf "%d steps end at a validation loss of %.3f; expected: below %.2f\n", $1, $3, bound
    exit !($1 == steps && $3 < bound)
}' $out/11-loss.csv

say $share_writing "12-generation: what the settings do (make run-12)"
build/12-generation

say $share_writing "13-kv-cache: the trained model writes (make run-13 ARGS=\"--model build/model\")"
build/13-kv-cache --model build/model --num-return-sequences 8 --temperature 0.6 --max-new-tokens 63 --grade

printf '\n== done in %s. Where to go from here\n' "$(minutes "$(elapsed)")"
cat <<'END'
  build/tour/11-loss.svg                 the training you just saw, against the entropy of the language
  chapters/00-tensors/README.md          the first lesson; the others follow by number
  make check-00                          your first exercises; make progress shows how far you are
  make run-13 MINE=all                   the same GPT-2 on the layers that you wrote
  make run-13 ARGS="--model build/model --prompt 'Anna puts'"
END

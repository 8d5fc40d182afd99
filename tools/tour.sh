#!/bin/sh
# make tour: from a fresh clone to a GPT-2 that writes text. Builds, runs every chapter's demonstration, trains a small model
# with a progress bar, draws its curves, and lets it write through the KV cache.
set -eu
say() { printf '\n== %s\n' "$*"; }
started=$(date +%s)

say "building (make)"
make -s -j"$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" all

for chapter in $(cd chapters && ls); do
    case $chapter in 1[1-3]-*) continue ;; esac
    [ -x "build/$chapter" ] || continue
    say "$chapter (make run-${chapter%%-*})"
    "build/$chapter"
done

say "11-training: a GPT-2 of 0.9 million parameters learns a vocabulary and then the built-in language (build/model)"
build/11-training --experiment loss --out plots/data --save build/model
for figure in 11-loss 11-block-gradients; do
    tools/draw.sh "plots/$figure.gp" plots/data "plots/$figure.svg"
done

say "12-generation: what the settings do (make run-12)"
build/12-generation

say "13-kv-cache: the trained model writes (make run-13 ARGS=\"--model build/model\")"
build/13-kv-cache --model build/model --num-return-sequences 8 --temperature 0.6 --max-new-tokens 63 --grade

took=$(($(date +%s) - started))
say "done in $((took / 60)) min $((took % 60)) s. Where to go from here"
cat <<'END'
  plots/11-loss.svg                      the training you just saw, against the entropy of the language
  chapters/00-tensors/README.md          the first lesson; the others follow by number
  make check-00                          your first exercises; make progress shows how far you are
  make run-13 MINE=all                   the same GPT-2 on the layers that you wrote
  make run-13 ARGS="--model build/model --prompt 'Anna puts'"
END

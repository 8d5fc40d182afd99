#!/bin/sh
# writes.sh STEPS...: trainings of a small GPT-2, each of so many steps: the loss at the end, how it
# goes on from "Anna puts", and how many of 1000 texts are stories of the language. From the course's
# folder, after make:
#   sh chapters/11-training/experiments/writes.sh 100 400 1600
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
exec 2>"$dir/said"
for steps; do
    warmup=$((steps < 1000 ? steps / 10 : 100))
    build/11-training --vocab-size 512 --layers 4 --width 128 --context 64 --batch 16 --rate 1.5e-3 \
        --warmup $warmup --steps $steps --validate-every $steps --save "$dir/$steps" |
        sed -n "s/^validation loss \([0-9.]*\).*/$steps steps, loss \1: /p" | tr -d '\n'
    write="build/13-kv-cache --model $dir/$steps --temperature 0.8 --seed 1"
    $write --grade --num-return-sequences 1000 --max-new-tokens 63 |
        sed -n '$s/^[0-9]* texts: \([0-9none]*\) .*/\1 of 1000 texts are stories/p'
    $write --prompt 'Anna puts' --max-new-tokens 60 | head -n 1 | fold -s -w 74 | sed 's/^/    /; s/ *$//'
done

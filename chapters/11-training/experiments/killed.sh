#!/bin/sh
# A training that is killed with -9 and goes on, compared byte by byte with an uninterrupted one.
# From the course's folder:
#   sh chapters/11-training/experiments/killed.sh
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
training="build/11-training --threads 1 --steps 80 --save-every 5"
$training --save "$dir/whole" >"$dir/said"
$training --save "$dir/killed" >"$dir/said" &
until [ -e "$dir/killed/training.safetensors" ]; do sleep 0.02; done
kill -9 $!
wait $! || echo "killed: the training ended with $?, 128 + 9"
$training --save "$dir/killed" --resume >"$dir/said"
grep -q '^resumed after step' "$dir/said" && echo "resumed after one of its checkpoints"
for file in training.safetensors model.safetensors; do
    cmp "$dir/whole/$file" "$dir/killed/$file" &&
        echo "$file: the same $(wc -c <"$dir/whole/$file") bytes"
done

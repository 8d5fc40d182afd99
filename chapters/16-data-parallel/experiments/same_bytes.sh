#!/bin/sh
# The same training on one rank; on two, with moments that are shared out; on three, interrupted and
# resumed on five: the checksums and sizes of the checkpoints.
set -eu
d=build/same-bytes
rm -rf $d
options="--threads 1 --layers 2 --heads 2 --width 32 --context 32 --accumulate 5 --steps 60
    --dropout 0.1 --validate-every 60 --save-every 2"
train() { # train RANKS DIRECTORY [OPTION...]
    RANKS=$1 to=$d/$2
    export RANKS
    shift 2
    exec chapters/16-data-parallel/launch.sh build/16-data-parallel $options --save "$to" "$@" \
        >/dev/null 2>&1
}
(train 1 one)
(train 2 two --shard)
(train 3 three) &
while [ ! -e $d/three/training.safetensors ]; do sleep 0.01; done
kill -TERM $!
if wait $!; then echo "not" \
    "interrupted"; else echo "interrupted on three ranks, and resumed on five"; fi
(train 5 three --resume)
cd $d && cksum one/training.safetensors two/training.safetensors three/training.safetensors

#!/bin/sh
# model.sh: the models that the book's pages write with, trained once; BOOK_MODEL=none leaves them
# out. build/model, which make tour trains, or, where there is none, one of 2000 of its 4000 steps,
# in build/book-model: 80 seconds on two idle cores. And lesson 01's small one, as its command makes
# it, in build/book-small: 15 seconds.
. tools/make/lib.sh
. tools/learner/openmp-wait.sh
[ "${BOOK_MODEL:-}" = none ] && exit 0
training=$(make -s print-linked)/11-training
[ -x "$training" ] || exit 0

# train DIRECTORY OPTION...: a model in DIRECTORY
train() {
    to=$1
    shift
    echo "book: training $to for its pages (BOOK_MODEL=none leaves it out)"
    "$training" "$@" --out build/book-out --overwrite --save "$to" >build/book-training.txt 2>&1 ||
        {
            echo "SKIPPED: a model for the pages: $(tail -n 1 build/book-training.txt)"
            rm -rf "$to"
        }
}
[ -f build/model/model.safetensors ] || [ -f build/book-model/model.safetensors ] ||
    train build/book-model --vocab-size 512 --layers 4 --width 128 --context 64 --batch 16 \
        --warmup 100 --rate 1.5e-3 --steps 2000
small=$(sed -n 's|^<!-- output: build/11-training \(.*\) --save build/small .*&& .*|\1|p' \
    chapters/01-*/README.md)
[ -f build/book-small/model.safetensors ] || train build/book-small $small
exit 0

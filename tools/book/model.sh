#!/bin/sh
# model.sh: the model that the book's pages write with: build/model, which make tour trains, or,
# where there is none, one of 2000 of its 4000 steps, in build/book-model: 80 seconds on two idle
# cores, once. BOOK_MODEL=none leaves it out.
. tools/make/lib.sh
. tools/learner/openmp-wait.sh
[ "${BOOK_MODEL:-}" = none ] && exit 0
for model in build/model build/book-model; do [ -f $model/model.safetensors ] && exit 0; done
[ -x build/11-training ] || exit 0
echo "book: training the model that its pages write with (BOOK_MODEL=none leaves it out)"
build/11-training --vocab-size 512 --layers 4 --width 128 --context 64 --batch 16 --warmup 100 \
    --rate 1.5e-3 --steps 2000 \
    --out build/book-out --overwrite --save build/book-model >build/book-training.txt 2>&1 || {
    echo "SKIPPED: the model for the pages: $(tail -n 1 build/book-training.txt)"
    rm -rf build/book-model
}
exit 0

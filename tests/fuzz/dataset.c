/* Any bytes as a text to train on: too short, or every window of it holds tokens of the
 * vocabulary. */
#include <stdlib.h>

#include "11-training/dataset.h"
#include "fuzz/fuzz.h"

FUZZ_TARGET(dataset) {
    enum { LENGTH = 4 };
    Tokenizer *t = tokenizer_bytes();
    Dataset d = dataset_text(t, fuzz_write("text", data, size), LENGTH);
    int inputs[LENGTH], targets[LENGTH];
    dataset_train_batch(&d, 1, size, 1, LENGTH, inputs, targets);
    for (size_t i = 0; i < LENGTH; i++)
        if (inputs[i] < 0 || (size_t)inputs[i] >= d.n_vocab || targets[i] < 0 ||
            (size_t)targets[i] >= d.n_vocab)
            abort();
    size_t cursor = 0;
    while (dataset_next_window(&d, &cursor, LENGTH, inputs, targets)) {
    }
    dataset_free(&d);
    tokenizer_free(t);
}

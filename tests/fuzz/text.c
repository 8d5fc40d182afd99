/* Any bytes as a text: it is encoded, decoded to the same bytes, and learned from. */
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/tokenizer.h"
#include "fuzz/fuzz.h"

FUZZ_TARGET(text) {
    Tokenizer *t = tokenizer_train(data, size, 300);
    for (int special = 0; special < 2; special++) {
        size_t n, bytes;
        int *ids = tokenizer_encode(t, data, size, special, &n);
        char *text = tokenizer_decode(t, ids, n, &bytes);
        if (bytes != size || memcmp(text, data, size) != 0) abort();
        free(ids);
        free(text);
    }
    tokenizer_free(t);
}

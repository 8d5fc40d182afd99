/* Any bytes as vocab.json, beside a merges.txt without merges: refused, or a tokenizer
 * that gives back what it reads. */
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/tokenizer.h"
#include "fuzz/fuzz.h"

FUZZ_TARGET(vocab) {
    fuzz_write("vocab.json", data, size);
    fuzz_write("merges.txt", "#version: 0.2\n", 14);
    Tokenizer *t = tokenizer_load(fuzz_path("."));
    size_t n, bytes;
    int *ids = tokenizer_encode(t, data, size < 100 ? size : 100, true, &n);
    char *text = tokenizer_decode(t, ids, n, &bytes);
    if (bytes != (size < 100 ? size : 100) || memcmp(text, data, bytes) != 0) abort();
    free(ids);
    free(text);
    tokenizer_free(t);
}

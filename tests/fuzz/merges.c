/* Any bytes as merges.txt, beside a vocabulary learned from a few words. */
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/tokenizer.h"
#include "fuzz/fuzz.h"

static const char learned[] = "the theory of the other theme; the others bathe there";

FUZZ_TARGET(merges) {
    static bool written;
    if (!written) {
        Tokenizer *t = tokenizer_train(learned, strlen(learned), 270);
        Directory *directory = directory_open(fuzz_path("."));
        tokenizer_save(t, directory);
        directory_close(directory);
        tokenizer_free(t);
        written = true;
    }
    fuzz_write("merges.txt", data, size);
    Tokenizer *t = tokenizer_load(fuzz_path("."));
    size_t n, bytes;
    int *ids = tokenizer_encode(t, learned, strlen(learned), false, &n);
    char *text = tokenizer_decode(t, ids, n, &bytes);
    if (bytes != strlen(learned) || memcmp(text, learned, bytes) != 0) abort();
    free(ids);
    free(text);
    tokenizer_free(t);
}

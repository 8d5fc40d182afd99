/* Any bytes as tokenizer.json, or a good one damaged: refused, or a tokenizer whose ids
 * have a text. */
#include <stdlib.h>
#include <string.h>

#include "18-llama/llama_tokenizer.h"
#include "files/file.h"
#include "fuzz/fuzz.h"

FUZZ_TARGET(tokenizer_json) {
    static char *good;
    static size_t good_size;
    static const char text[] = "It's 12 caf\xc3\xa9 e\xcc\x81 <|im_end|>\n";
    if (!good) good = file_read("tests/golden/llama_bpe/qwen.json", &good_size);
    size_t n = good_size, bytes;
    bool whole = size > 0 && data[0] == '{';
    char *damaged = whole ? NULL : fuzz_damaged(good, &n, data, size);
    const char *path =
        fuzz_write("tokenizer.json", whole ? data : damaged, whole ? size : n);
    Tokenizer *t = tokenizer_json_load(path);
    int *ids = tokenizer_encode(t, text, strlen(text), true, &n);
    free(tokenizer_decode(t, ids, n, &bytes));
    free(ids);
    tokenizer_free(t);
    free(damaged);
}

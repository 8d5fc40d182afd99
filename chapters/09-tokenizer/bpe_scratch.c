/* Room for the encoder to work in: see bpe_encode.h. */
#include "09-tokenizer/bpe_encode.h"
#include "base/memory.h"

#include <stdlib.h>

void bpe_scratch_reserve(BpeScratch *scratch, size_t n) {
    if (n <= scratch->capacity) return;
    scratch->capacity = 2 * n;
    scratch->next =
        checked_realloc(scratch->next, scratch->capacity, sizeof *scratch->next);
    scratch->previous = checked_realloc(scratch->previous, scratch->capacity,
                                        sizeof *scratch->previous);
}

void bpe_scratch_free(BpeScratch *scratch) {
    free(scratch->next);
    free(scratch->previous);
    heap_free(&scratch->queue);
    *scratch = (BpeScratch){0};
}

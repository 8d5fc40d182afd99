/* Byte-pair encoding by scanning: see bpe_scan.h. */
#include "09-tokenizer/bpe_scan.h"

#include <string.h>

//> scan
size_t bpe_encode_by_scanning(int *tokens, size_t n, const MergeTable *merges) {
    for (;;) {
        const Merge *best = NULL;
        size_t at = 0;
        for (size_t i = 0; i + 1 < n; i++) {
            const Merge *m = merge_table_find(merges, tokens[i], tokens[i + 1]);
            if (m && (!best || m->rank < best->rank)) {
                best = m;
                at = i;
            }
        }
        if (!best) return n;
        tokens[at] = best->merged;
        n--;
        memmove(tokens + at + 1, tokens + at + 2, (n - at - 1) * sizeof *tokens);
    }
}
//< scan

/* Token ids from the command line: see ids.h. */
#include "10-gpt2/ids.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static _Noreturn void refuse(const char *what, const char *at, size_t n_vocab) {
    die("%s: '%.20s': expected numbers from 0 to %zu", what, at, n_vocab - 1);
}

int *ids_parse(const char *what, const char *text, size_t n_vocab, size_t *n) {
    int *ids = checked_alloc(strlen(text) / 2 + 1, sizeof *ids);
    *n = 0;
    for (const char *p = text; *p;) {
        if (isspace((unsigned char)*p) || *p == ',') {
            p++;
            continue;
        }
        char *end;
        long id = isdigit((unsigned char)*p) ? strtol(p, &end, 10) : -1;
        if (id < 0 || (size_t)id >= n_vocab ||
            !(isspace((unsigned char)*end) || *end == ',' || !*end))
            refuse(what, p, n_vocab);
        ids[(*n)++] = (int)id;
        p = end;
    }
    if (!*n) refuse(what, text, n_vocab);
    return ids;
}

/* ids [n] become those whose mask is not 0; returns how many. */
static size_t keep(int *ids, const int *mask, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (mask[i]) ids[kept++] = ids[i];
    }
    return kept;
}

int *ids_mask(const char *text, size_t n) {
    if (!text) return NULL;
    size_t n_mask;
    int *mask = ids_parse("--attention-mask", text, 2, &n_mask);
    if (n_mask != n)
        die("--attention-mask: %zu numbers, expected %zu, one for each of --ids",
            n_mask, n);
    if (!memchr(text, '1', strlen(text)))
        die("--attention-mask: all are 0, expected a token: 1");
    return mask;
}

int *ids_unpadded(const char *ids, const char *mask, size_t n_vocab, size_t *n) {
    int *all = ids_parse("--ids", ids, n_vocab, n), *tokens = ids_mask(mask, *n);
    if (tokens) *n = keep(all, tokens, *n);
    free(tokens);
    return all;
}

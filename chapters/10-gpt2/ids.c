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

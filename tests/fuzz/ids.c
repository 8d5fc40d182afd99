/* Any text as token ids on the command line. */
#include "10-gpt2/ids.h"

#include <stdlib.h>

#include "fuzz/fuzz.h"

FUZZ_TARGET(ids) {
    char *text = fuzz_text(data, size);
    size_t n;
    int *ids = ids_parse("ids", text, 1000, &n);
    for (size_t i = 0; i < n; i++)
        if (ids[i] < 0 || ids[i] >= 1000) abort();
    free(ids);
    free(text);
}

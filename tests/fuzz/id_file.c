/* Any bytes as a file of token ids, as `decode` of chapter 09 reads it. */
#include "09-tokenizer/id_file.h"

#include <stdlib.h>

#include "fuzz/fuzz.h"

static void take(void *unused, int id) {
    (void)unused;
    if (id < 0 || id >= 1000) abort();
}

static void pause_nowhere(void) {}

FUZZ_TARGET(id_file) {
    id_file_read(fuzz_write("ids", data, size), 1000, take, pause_nowhere, NULL);
}

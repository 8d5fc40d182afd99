/* Checksums: see checksum.h. */
#include "files/checksum.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/error.h"
#include "files/file.h"

Checksum checksum_begin(void) {
    Checksum sum = {XXH3_createState()};
    if (!sum.state || XXH3_64bits_reset(sum.state) != XXH_OK)
        die("out of memory for a checksum");
    return sum;
}

void checksum_add(Checksum *sum, const void *data, size_t bytes) {
    if (bytes) XXH3_64bits_update(sum->state, data, bytes);
}

void checksum_end(Checksum *sum, char text[CHECKSUM_TEXT]) {
    snprintf(text, CHECKSUM_TEXT, "%016llx",
             (unsigned long long)XXH3_64bits_digest(sum->state));
    XXH3_freeState(sum->state);
}

void checksum_of_file(const char *path, char text[CHECKSUM_TEXT]) {
    size_t bytes;
    char *data = file_read_regular(path, SIZE_MAX / 2, &bytes);
    Checksum sum = checksum_begin();
    checksum_add(&sum, data, bytes);
    checksum_end(&sum, text);
    free(data);
}

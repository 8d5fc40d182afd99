/* A damaged safetensors file that says it is whole: what lies behind the checksum is to be tested too. */
#ifndef TESTS_FUZZ_CHECKSUM_H
#define TESTS_FUZZ_CHECKSUM_H

#include <string.h>

#include "safetensors_checksum.h"

static inline void fit_checksum(char *bytes, size_t n) {
    size_t rest = SAFETENSORS_CHECKSUM_AT + CHECKSUM_TEXT - 1;
    if (n < rest) return;
    Checksum sum = checksum_begin();
    checksum_add(&sum, bytes, SAFETENSORS_CHECKSUM_AT);
    checksum_add(&sum, SAFETENSORS_CHECKSUM_ZERO, CHECKSUM_TEXT - 1);
    checksum_add(&sum, bytes + rest, n - rest);
    char text[CHECKSUM_TEXT];
    checksum_end(&sum, text);
    memcpy(bytes + SAFETENSORS_CHECKSUM_AT, text, CHECKSUM_TEXT - 1);
}

#endif

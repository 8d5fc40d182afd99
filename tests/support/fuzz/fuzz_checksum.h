/* A damaged safetensors file that says it is whole: what lies behind the checksum is to
 * be tested too. */
#ifndef TESTS_FUZZ_CHECKSUM_H
#define TESTS_FUZZ_CHECKSUM_H

#include <string.h>

#include "checkpoints/safetensors_checksum.h"

static inline void fit_checksum(char *bytes, size_t n) {
    if (n < SAFETENSORS_CHECKSUM_AT + CHECKSUM_TEXT - 1) return;
    char text[CHECKSUM_TEXT];
    safetensors_checksum(bytes, n, text);
    memcpy(bytes + SAFETENSORS_CHECKSUM_AT, text, CHECKSUM_TEXT - 1);
}

#endif

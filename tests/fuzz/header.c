/* Any bytes as the header of a safetensors file, whose length is always right:
 * gets further than whole files do. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "base/memory.h"
#include "checkpoints/safetensors.h"

FUZZ_TARGET(header) {
    enum { DATA_BYTES = 64 };
    uint64_t length = size;
    char *bytes = checked_alloc(8 + size + DATA_BYTES, 1);
    memcpy(bytes, &length, 8);
    if (size) memcpy(bytes + 8, data, size);
    SafeTensors file = safetensors_open(
        fuzz_write("header.safetensors", bytes, 8 + size + DATA_BYTES));
    for (size_t i = 0; i < file.count; i++) {
        int *numbers = checked_alloc(file.tensors[i].size, sizeof *numbers);
        safetensors_to_int(numbers, &file.tensors[i]);
        free(numbers);
    }
    safetensors_close(&file);
    free(bytes);
}

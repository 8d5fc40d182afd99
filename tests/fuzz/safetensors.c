/* Any bytes as a safetensors file: all that the reader lets through must be
 * readable. */
#include "checkpoints/safetensors.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "base/memory.h"

FUZZ_TARGET(safetensors) {
    SafeTensors file = safetensors_open(fuzz_write("file.safetensors", data, size));
    for (size_t i = 0; i < file.count; i++) {
        const SafeTensor *x = &file.tensors[i];
        char shape[SAFETENSORS_SHAPE_TEXT];
        double *numbers = checked_alloc(x->size, sizeof *numbers);
        safetensors_shape_text(x, shape);
        safetensors_to_double(numbers, x);
        free(numbers);
        if (!safetensors_find(&file, x->name)) abort();
    }
    safetensors_metadata(&file, "format");
    safetensors_close(&file);
}

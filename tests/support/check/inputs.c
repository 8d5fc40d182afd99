/* Inputs that stay as they are: see inputs.h. */
#include "check/inputs.h"

#include <string.h>

#include "base/memory.h"

static bool is_among(const void *memory, size_t bytes, const void *const *outputs,
                     size_t n) {
    const char *begin = memory;
    for (size_t i = 0; i < n; i++) {
        const char *out = outputs[i];
        if (out >= begin && out < begin + bytes) return true;
    }
    return false;
}

void inputs_copy(Input *inputs, size_t n, const void *const *outputs,
                 size_t n_outputs) {
    for (Input *in = inputs; in < inputs + n; in++) {
        in->bytes = guarded_bytes(in->memory);
        if (in->bytes == 0 || is_among(in->memory, in->bytes, outputs, n_outputs))
            continue;
        in->copy = checked_alloc(in->bytes, 1);
        memcpy(in->copy, in->memory, in->bytes);
    }
}

const char *inputs_changed(Input *inputs, size_t n) {
    const char *changed = NULL;
    for (Input *in = inputs; in < inputs + n; in++) {
        if (in->copy && memcmp(in->copy, in->memory, in->bytes) != 0)
            changed = in->name;
        free(in->copy);
    }
    return changed;
}

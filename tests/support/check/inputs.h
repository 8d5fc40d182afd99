/* An exercise's inputs stay as they are. make writes a header for each exercise's test
 * (tools/make/inputs.awk), which leads calls of its functions here: what their pointers
 * to const point at, where guarded.h knows how much that is, is compared with a copy
 * from before the call. Else wrong inputs would make expected numbers wrong, and the
 * test would give a false reason. */
#ifndef TESTS_INPUTS_H
#define TESTS_INPUTS_H

#include <stddef.h>

#include "check/check.h"

typedef struct {
    const char *name;
    const void *memory;
    void *copy; /* NULL: it is not compared */
    size_t bytes;
} Input;

/* Not what is written to as well: out may be x. */
void inputs_copy(Input *inputs, size_t n, const void *const *outputs, size_t n_outputs);

/* The name of one that has changed, or NULL. Frees the copies. */
const char *inputs_changed(Input *inputs, size_t n);

#define INPUTS_BEFORE(inputs, ...)                                                     \
    inputs_copy(inputs, sizeof(inputs) / sizeof *(inputs),                             \
                (const void *const[]){NULL, ##__VA_ARGS__},                            \
                sizeof((const void *const[]){NULL, ##__VA_ARGS__}) / sizeof(void *))
#define INPUTS_AFTER(inputs)                                                           \
    do {                                                                               \
        const char *changed_ =                                                         \
            inputs_changed(inputs, sizeof(inputs) / sizeof *(inputs));                 \
        CHECK(changed_ == NULL, "%s was changed: it is an input", changed_);           \
    } while (0)

#endif

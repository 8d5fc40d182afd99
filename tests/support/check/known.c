/* Facts that a test knows: see known.h. */
#include "check/known.h"

#include <string.h>

#include "check/check.h"
#include "base/error.h"

static Facts facts;

const Facts *known_facts(void) {
    return &facts;
}

void axes_are(const Axis *axes, size_t n) {
    if (n > MAX_AXES) die("AXES: %zu axes, expected at most %d", n, MAX_AXES);
    facts = (Facts){.n_axes = n};
    memcpy(facts.axes, axes, n * sizeof *axes);
}

static size_t axis_called(const char *name, size_t length) {
    for (size_t k = 0; k < facts.n_axes; k++) {
        if (strlen(facts.axes[k].index) == length &&
            strncmp(facts.axes[k].index, name, length) == 0)
            return k;
    }
    die("KNOW: no axis is called '%.*s'", (int)length, name);
}

void axis_counts_from(const char *axis, size_t first) {
    facts.first[axis_called(axis, strlen(axis))] = first;
}

/* A place for the array of this name, with its axes. */
static Known *known_array(const char *name, const char *axes) {
    size_t at = 0;
    while (at < facts.n_arrays && strcmp(facts.arrays[at].name, name) != 0) at++;
    if (at == MAX_KNOWN) die("KNOW: more than %d arrays", MAX_KNOWN);
    if (at == facts.n_arrays) facts.n_arrays++;
    Known *known = &facts.arrays[at];
    *known = (Known){.name = name, .n = 1};
    for (const char *word = axes; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " "), axis = axis_called(word, length);
        if (known->n_axes == MAX_AXES)
            die("KNOW: '%s' has more than %d axes", name, MAX_AXES);
        known->axes[known->n_axes++] = axis;
        known->n *= facts.axes[axis].size;
        word += length;
    }
    return known;
}

void know_shape(const char *name, const char *axes) {
    known_array(name, axes);
}

void know_doubles(const char *name, const double *values, const char *axes) {
    if (values) known_array(name, axes)->values = values;
}

void know_floats(const char *name, const float *values, const char *axes) {
    if (!values) return;
    Known *known = known_array(name, axes);
    known->values = as_double(values, known->n);
}

void know_number(const char *name, double value) {
    if (facts.n_numbers == MAX_KNOWN)
        die("know_number: more than %d numbers", MAX_KNOWN);
    facts.numbers[facts.n_numbers++] = (KnownNumber){name, value};
}

void know_inside(const char *name, const double *got, const double *right, size_t n,
                 double tolerance) {
    if (facts.n_insides == MAX_KNOWN) die("know_inside: more than %d", MAX_KNOWN);
    facts.insides[facts.n_insides++] = (Inside){
        .name = name, .got = got, .right = right, .n = n, .tolerance = tolerance};
}

const Known *known_shape_of(const char *what, size_t n) {
    size_t length = strcspn(what, " ,");
    for (size_t i = 0; i < facts.n_arrays; i++) {
        const Known *known = &facts.arrays[i];
        if (known->n == n && strlen(known->name) == length &&
            strncmp(known->name, what, length) == 0)
            return known;
    }
    for (size_t i = 0; i < facts.n_arrays; i++) {
        if (facts.arrays[i].n == n) return &facts.arrays[i];
    }
    return NULL;
}

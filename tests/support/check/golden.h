/* Golden numbers: what PyTorch computed in float64, read from tests/golden (see the
 * README there).
 *
 * A family is a file of tests/golden/layers without its ending: "layernorm" is
 * layers/layernorm_f64.safetensors. A family with a slash is a path below tests/golden
 * without
 * ".safetensors": "tiny_gpt2/golden_f64". A tensor is named "case.tensor"; in files
 * without cases the case is NULL. Each file is opened once. What these functions return
 * stays valid to the end of the test and is never freed. What is not there ends the
 * test with a line that says what was looked for. Tests run from the project's root;
 * the environment variable GOLDEN_DIR names another place than tests/golden. */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>

#include "checkpoints/safetensors.h"

/* All elements; *n (unless n is NULL) is how many. Floats and ints are a fresh copy
 * that the test may change. golden_float rounds: where it matters that nothing is lost
 * (inputs were rounded to float before), this is exact. */
const double *golden(const char *family, const char *case_, const char *tensor,
                     size_t *n);
float *golden_float(const char *family, const char *case_, const char *tensor,
                    size_t *n);
int *golden_int(const char *family, const char *case_, const char *tensor, size_t *n);

/* The number of axes and their lengths. */
int golden_shape(const char *family, const char *case_, const char *tensor,
                 size_t shape[SAFETENSORS_MAX_NDIM]);

bool golden_has(const char *family, const char *case_, const char *tensor);

/* A hyper-parameter, stored as "case.attr.name". */
double golden_attr(const char *family, const char *case_, const char *name);

/* The file of a family, to walk through its tensors. */
const SafeTensors *golden_file(const char *family);

/* "tests/golden/relative", for files of other kinds: golden_path("sampling.json"). */
const char *golden_path(const char *relative);

/* The bytes that such a file has in hexadecimal, with a NUL behind them. */
char *golden_bytes(const char *hex, size_t *n);

#endif

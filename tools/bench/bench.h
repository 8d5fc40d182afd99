/* What the parts of make bench share. Every figure is the median of several rounds, and
 * what it is compared with is measured in the same rounds, in turn: the machine may be
 * slower an hour from now. */
#ifndef TOOLS_BENCH_H
#define TOOLS_BENCH_H

#include <stddef.h>

#include "00-tensors/optimizer.h"
#include "10-gpt2/gpt2.h"
#include "files/csv.h"
#include "program/program.h"

enum { MAX_ROUNDS = 63 };
extern size_t bench_rounds;

/* The median of n measurements, and how far the largest and the smallest are apart, as
 * a share of it. Sorts x. */
typedef struct {
    double middle, spread;
} Spread;
Spread bench_spread(double *x, size_t n);

/* n floats between -0.5 and 0.5. */
float *bench_floats(size_t n);

/* Sets the number of threads of ours and of OpenBLAS. */
void bench_threads(size_t n);

/* --- yardsticks: what this machine can do, in this run --- */

/* Seconds to read so many floats, to copy so many to another array, and to change so
 * many where they are: three plain loops. */
typedef struct {
    size_t read, copied, changed;
} Moves;
double yardstick_move(const float *from, float *to, Moves m);

/* Seconds to read all parameters once, each where it lies and in order, as a decoding
 * step does. Reading one of them would be no yardstick: a part of it may still be in
 * the cache. */
double yardstick_read_params(const Params *params);

/* Seconds for one number of an array in the first cache, in a plain loop of the
 * formula: e^x; what logsumexp asks (the largest, e^(x - largest), their sum); softmax,
 * which also divides by the sum; GELU by tanh, and its slope; x sigmoid(x). */
typedef enum {
    FORMULA_NONE,
    FORMULA_EXP,
    FORMULA_LOGSUMEXP,
    FORMULA_SOFTMAX,
    FORMULA_GELU,
    FORMULA_GELU_SLOPE,
    FORMULA_SILU,
    FORMULAS
} Formula;
double yardstick_formula(Formula f, size_t threads);

/* Floating-point operations a second of OpenBLAS' product of two 2048 x 2048 matrices
 * (of ours, without OpenBLAS), once: to be measured in turn with what it is compared
 * with, after bench_threads. When it returns, OpenBLAS' threads sleep, and each of ours
 * has a processor. */
double yardstick_product_rate(size_t threads);

/* --- the parts --- */

void bench_products(Csv *csv, size_t threads);
void bench_kernels(Csv *csv, size_t threads);
void bench_training(Gpt2 *model, Csv *csv, Csv *parts, size_t threads);
void bench_decoding(Gpt2 *model, Csv *csv, Csv *parts, size_t threads);
void bench_prompt(Gpt2 *model, Csv *csv, Csv *parts, size_t threads);
void bench_small(Csv *csv, size_t threads);
void bench_waiting(Csv *csv, size_t threads);

/* One step of a small training, whose seconds it prints: what bench_waiting starts,
 * under the name BENCH of the environment. */
void bench_small_step(const Settings *settings);
void bench_small_step_all(const Settings *settings);

/* Seconds of one training step; each token's target is the one behind it. */
double bench_train_seconds(Gpt2 *model, AdamW *optimizer, Tape *t,
                           const Gpt2Input *input);

/* Where the time of a step goes, by operation.
 * parts_print: seconds is that of the whole, over `steps` of them since parts_start.
 * csv may be NULL. */
void parts_start(void);
void parts_print(Csv *csv, const char *what, size_t threads, double seconds,
                 size_t steps);

/* c [m, n] is the product of a and b over k, either of which may lie transposed. Theirs
 * is OpenBLAS' sgemm, or ours where there is none. */
typedef enum { AB, ATB, ABT } Form;
typedef struct {
    float *c;
    const float *a, *b;
    size_t m, n, k;
} Matrices;
typedef void Product(Form, const Matrices *);
Product product_ours, product_theirs;

/* Seconds for one product, repeated for some milliseconds. */
double product_seconds(Product *f, Form form, const Matrices *x, size_t threads);

#endif

/* Where the time of a step goes: see bench.h.
 *
 * The bench is linked with --wrap=NAME for each kernel below: a call of NAME from another file then arrives
 * at
 * __wrap_NAME, which takes the time and calls the kernel itself as __real_NAME. A kernel that is called by
 * another (attention calls products) counts as part of that one. */
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "00-tensors/adamw.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "04-ffn-swiglu/gelu.h"
#include "06-embeddings/embedding.h"
#include "07-attention/causal_attention.h"
#include "07-attention/heads.h"
#include "13-kv-cache/attention_step.h"
#include "bench.h"
#include "clock.h"
#include "matmul.h"
#include "params.h"

typedef enum { PRODUCTS, ATTENTION, HEADS, NORM, GELU, LOSS, EMBEDDING, OPTIMIZER, ZERO, PARTS } Part;
static const char *const names[PARTS] = {"matrix products", "attention", "split and merge heads",
                                         "LayerNorm",       "GELU",      "softmax and loss",
                                         "embedding",       "AdamW",     "zero gradients"};
static double spent[PARTS], entered;
static _Thread_local bool
    inside; /* another thread than the first is always inside a kernel's parallel loop */
static bool measuring;

static bool in_parallel(void) {
#ifdef _OPENMP
    return omp_in_parallel();
#else
    return false;
#endif
}

static bool enter(void) {
    if (!measuring || inside || in_parallel()) return false;
    inside = true;
    entered = clock_seconds();
    return true;
}

static void leave(bool counts, Part part) {
    if (!counts) return;
    spent[part] += clock_seconds() - entered;
    inside = false;
}

#define WRAP(part, name, parameters, arguments)                                                              \
    void __real_##name parameters;                                                                           \
    void __wrap_##name parameters;                                                                           \
    void __wrap_##name parameters {                                                                          \
        bool counts = enter();                                                                               \
        __real_##name arguments;                                                                             \
        leave(counts, part);                                                                                 \
    }
typedef const float *In;
typedef float *Out;
typedef const AttentionShape *Shape;

WRAP(PRODUCTS, matmul, (Out c, In a, In b, size_t m, size_t n, size_t k, bool add), (c, a, b, m, n, k, add))
WRAP(PRODUCTS, matmul_at_b, (Out c, In a, In b, size_t m, size_t n, size_t k, bool add),
     (c, a, b, m, n, k, add))
WRAP(PRODUCTS, matmul_a_bt, (Out c, In a, In b, size_t m, size_t n, size_t k, bool add),
     (c, a, b, m, n, k, add))
WRAP(ATTENTION, attention_forward, (Out out, Out w, Out room, In q, In k, In v, Shape s),
     (out, w, room, q, k, v, s))
WRAP(ATTENTION, attention_backward,
     (Out dq, Out dk, Out dv, Out room, In dout, In w, In q, In k, In v, Shape s),
     (dq, dk, dv, room, dout, w, q, k, v, s))
WRAP(ATTENTION, attention_step,
     (Out out, Out room, In q, In k, In v, size_t n, size_t dim, size_t most, size_t length),
     (out, room, q, k, v, n, dim, most, length))
WRAP(HEADS, split_heads, (Out out, In x, size_t b, size_t t, size_t h, size_t dim, size_t step),
     (out, x, b, t, h, dim, step))
WRAP(HEADS, merge_heads, (Out out, In x, size_t b, size_t t, size_t h, size_t dim, size_t step),
     (out, x, b, t, h, dim, step))
WRAP(NORM, layernorm_forward,
     (Out out, Out mean, Out rstd, In x, In g, In b, size_t rows, size_t dim, float eps),
     (out, mean, rstd, x, g, b, rows, dim, eps))
WRAP(NORM, layernorm_backward,
     (Out dx, Out dg, Out db, In dout, In x, In mean, In rstd, In g, size_t rows, size_t dim),
     (dx, dg, db, dout, x, mean, rstd, g, rows, dim))
WRAP(GELU, gelu_tanh_forward, (Out out, In x, size_t n), (out, x, n))
WRAP(GELU, gelu_tanh_backward, (Out dx, In dout, In x, size_t n), (dx, dout, x, n))
WRAP(LOSS, cross_entropy_backward,
     (Out dx, float dloss, In x, In sums, const int *targets, size_t rows, size_t n),
     (dx, dloss, x, sums, targets, rows, n))
WRAP(EMBEDDING, embedding_forward, (Out out, In table, const int *ids, size_t n, size_t dim),
     (out, table, ids, n, dim))
WRAP(EMBEDDING, embedding_backward, (Out dtable, In dout, const int *ids, size_t n, size_t dim, int padding),
     (dtable, dout, ids, n, dim, padding))
WRAP(OPTIMIZER, adamw_update, (Out x, Out m, Out v, In g, size_t n, const AdamWSettings *s, size_t step),
     (x, m, v, g, n, s, step))
WRAP(ZERO, floats_zero, (Out x, size_t n), (x, n))

float __real_cross_entropy_forward(Out sums, In x, const int *targets, size_t rows, size_t n);
float __wrap_cross_entropy_forward(Out sums, In x, const int *targets, size_t rows, size_t n);
float __wrap_cross_entropy_forward(Out sums, In x, const int *targets, size_t rows, size_t n) {
    bool counts = enter();
    float loss = __real_cross_entropy_forward(sums, x, targets, rows, n);
    leave(counts, LOSS);
    return loss;
}

void parts_start(void) {
    for (Part p = 0; p < PARTS; p++) spent[p] = 0;
    measuring = true;
}

void parts_print(Csv *csv, const char *what, size_t threads, double seconds, size_t steps) {
    measuring = false;
    double rest = seconds;
    for (Part p = 0; p <= PARTS; p++) {
        double part = p < PARTS ? spent[p] : rest;
        const char *name = p < PARTS ? names[p] : "the rest";
        rest -= part;
        if (part == 0) continue;
        printf("  %-24s %9.3f ms %6.1f %%\n", name, 1e3 * part / (double)steps, 100 * part / seconds);
        csv_row(csv, "%s,%zu,%s,%.4g,%.4g", what, threads, name, part / (double)steps, part / seconds);
    }
}

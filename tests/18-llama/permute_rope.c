/* Tests of exercise 18/permute_rope. */
#include "18-llama/permute_rope.h"

#include <string.h>

#include "base/memory.h"
#include "check/check.h"

typedef void Permute(void *out, const void *rows, size_t n_head, size_t head_dim,
                     size_t row_bytes);

typedef enum {
    RIGHT,
    OTHER_WAY,
    ONE_HEAD,      /* the whole matrix as one head */
    PARTNER_FIRST, /* row 2 i + 1 before row 2 i */
    HEADS_MIXED,   /* [head_dim / 2, 2, n_head]: heads and pairs exchanged */
    UNMOVED
} Variation;

/* GGUF's row n is this one of Hugging Face's. */
static size_t source(size_t n, size_t n_head, size_t dim, Variation v) {
    if (v == UNMOVED) return n;
    if (v == ONE_HEAD) {
        dim *= n_head;
        n_head = 1;
    }
    if (v == HEADS_MIXED) return n % 2 * (n_head * dim / 2) + n / 2;
    size_t head = n / dim * dim, i = n % dim;
    if (v == PARTNER_FIRST) i ^= 1;
    return head + i / 2 + i % 2 * (dim / 2);
}

static size_t from_gguf(size_t n, size_t n_head, size_t dim, Variation v) {
    for (size_t g = 0; g < n_head * dim; g++) {
        if (source(g, n_head, dim, v) == n) return g;
    }
    return 0;
}

/* Where row n of the result comes from. */
static double *origins(size_t n_head, size_t dim, bool to_gguf, Variation v) {
    double *rows = checked_alloc(n_head * dim, sizeof *rows);
    if (v == OTHER_WAY) to_gguf = !to_gguf;
    for (size_t n = 0; n < n_head * dim; n++)
        rows[n] = (double)(to_gguf ? source(n, n_head, dim, v)
                                   : from_gguf(n, n_head, dim, v));
    return rows;
}

/* Row n is its number as a float and then bytes that belong to it. */
static void check_permute(Permute *permute, bool to_gguf, size_t n_head, size_t dim,
                          size_t row_bytes) {
    size_t n = n_head * dim;
    unsigned char *rows = guarded_alloc(n, row_bytes),
                  *out = guarded_alloc(n, row_bytes);
    for (size_t r = 0; r < n; r++) {
        float number = (float)r;
        memset(rows + r * row_bytes, (int)(r % 251), row_bytes);
        memcpy(rows + r * row_bytes, &number, sizeof number);
        memset(out + r * row_bytes, 0xff, row_bytes);
    }
    permute(out, rows, n_head, dim, row_bytes);
    float *got = nan_floats(n);
    for (size_t r = 0; r < n; r++) memcpy(&got[r], out + r * row_bytes, sizeof *got);
    AXES({"head", "n_head", n_head}, {"row", "head_dim", dim});
#define ORIGIN(v) origins(n_head, dim, to_gguf, v)
    CHECK_CLOSE(
        "the rows that are there", got, ORIGIN(RIGHT), n, 1e-7,
        {"it goes the other way: Hugging Face's halves and GGUF's neighbours are taken "
         "for each other",
         ORIGIN(OTHER_WAY)},
        {"the matrix is permuted as one head: each head is for itself",
         ORIGIN(ONE_HEAD)},
        {"the partner comes first: row 2 i is Hugging Face's row i",
         ORIGIN(PARTNER_FIRST)},
        {"rows of different heads become neighbours: each head is for itself",
         ORIGIN(HEADS_MIXED)},
        {"nothing is permuted", ORIGIN(UNMOVED)});
#undef ORIGIN
    for (size_t r = 0; r < n; r++) {
        for (size_t b = sizeof(float); b < row_bytes; b++) {
            size_t from = (size_t)got[r];
            CHECK(out[r * row_bytes + b] == from % 251,
                  "byte %zu of row %zu is not that of row %zu: a row moves as a whole, "
                  "row_bytes bytes",
                  b, r, from);
        }
    }
}

Test(permute_rope, to_gguf, .timeout = 10) {
    check_permute(rope_to_gguf, true, 1, 8, sizeof(float));
}
Test(permute_rope, to_gguf_in_heads, .timeout = 10) {
    check_permute(rope_to_gguf, true, 3, 6, 3 * sizeof(float));
}
Test(permute_rope, from_gguf, .timeout = 10) {
    check_permute(rope_from_gguf, false, 1, 8, sizeof(float));
}
Test(permute_rope, from_gguf_in_heads, .timeout = 10) {
    check_permute(rope_from_gguf, false, 3, 6, 3 * sizeof(float));
}

/* With two or four rows both ways are the same. */
Test(permute_rope, short_heads, .timeout = 10) {
    check_permute(rope_to_gguf, true, 5, 2, 7);
    check_permute(rope_to_gguf, true, 2, 4, 7);
    check_permute(rope_from_gguf, false, 2, 4, 7);
}

/* Rows of blocks have any number of bytes. */
Test(permute_rope, rows_of_any_bytes, .timeout = 10) {
    check_permute(rope_to_gguf, true, 9, 64, 34);
    check_permute(rope_from_gguf, false, 3, 64, 361);
}

Test(permute_rope, there_and_back, .timeout = 10) {
    enum { HEADS = 3, DIM = 10, N = HEADS * DIM };
    float *x = normal_floats(N, 1, 1), *there = nan_floats(N), *back = nan_floats(N);
    rope_to_gguf(there, x, HEADS, DIM, sizeof *x);
    rope_from_gguf(back, there, HEADS, DIM, sizeof *x);
    CHECK_CLOSE("what went there and came back", back, as_double(x, N), N, 1e-7);
}

/* Tests of attention with padding: each text as it is alone; padding is never read; a
 * row of padding alone. Numbers from elsewhere are in tests/10-gpt2/padding.c. */
#include "07-attention/masked_attention.h"

#include <math.h>
#include <string.h>

#include "check/check.h"

enum { B = 4, T = 6, C = 6, HEADS = 3, WIDTH = 3 * C };

/* Padding in front, behind, between, and nothing else. */
static const int mask[B * T] = {0,      0, 1, 1, 1, 1, /**/ 1, 1, 1, 0, 0, 0,
                                /**/ 0, 1, 0, 1, 1, 0, /**/ 0, 0, 0, 0, 0, 0};

static const AttentionConfig config = {.d_model = C, .n_head = HEADS, .causal = true};

/* One pass from qkv [batch, length, WIDTH], and the way back from dout. */
typedef struct {
    Tape tape;
    Tensor *qkv, *out, *weights;
} Pass;

static Pass pass(const float *qkv, size_t batch, size_t length, const int *of_mask,
                 AttentionKind kind, const float *dout) {
    Pass p = {.tape = tape_create(1)};
    AttentionConfig c = config;
    c.kind = kind;
    p.qkv = tape_tensor(&p.tape, 3, (size_t[]){batch, length, WIDTH}, true);
    memcpy(p.qkv->data, qkv, batch * length * WIDTH * sizeof *qkv);
    Tensor **weights = kind == ATTENTION_PLAIN ? &p.weights : NULL;
    p.out = of_mask ? masked_attention(&p.tape, &c, p.qkv, of_mask, weights)
                    : attention_core(&p.tape, &c, p.qkv, weights);
    memcpy(p.out->grad, dout, batch * length * C * sizeof *dout);
    tape_backward_from_grad(&p.tape);
    return p;
}

/* The rows of row b that are tokens, put side by side. */
static size_t tokens_of(float *to, const float *x, size_t b, size_t width) {
    size_t n = 0;
    for (size_t i = 0; i < T; i++) {
        if (!mask[b * T + i]) continue;
        memcpy(to + n++ * width, x + (b * T + i) * width, width * sizeof *to);
    }
    return n;
}

static void check_same(const char *what, size_t b, const float *batch,
                       const float *alone, size_t width) {
    float rows[T * WIDTH];
    size_t n = tokens_of(rows, batch, b, width);
    CHECK(memcmp(rows, alone, n * width * sizeof *rows) == 0,
          "row %zu: %s of its tokens has other bytes than of the text alone", b, what);
}

Test(masked_attention, each_text_has_the_bytes_that_it_has_alone, .timeout = 10) {
    float *qkv = normal_floats(B * T * WIDTH, 1, 1),
          *dout = normal_floats(B * T * C, 1, 2);
    for (AttentionKind kind = ATTENTION_PLAIN; kind <= ATTENTION_ONLINE; kind++) {
        Pass all = pass(qkv, B, T, mask, kind, dout);
        for (size_t b = 0; b < B; b++) {
            float text[T * WIDTH], dtext[T * C];
            size_t n = tokens_of(text, qkv, b, WIDTH);
            tokens_of(dtext, dout, b, C);
            if (n == 0) continue;
            Pass alone = pass(text, 1, n, NULL, kind, dtext);
            check_same("the output", b, all.out->data, alone.out->data, C);
            check_same("the gradient", b, all.qkv->grad, alone.qkv->grad, WIDTH);
        }
    }
}

/* Numbers of padding that would spoil whatever reads them. */
Test(masked_attention, padding_is_never_read, .timeout = 10) {
    float *qkv = normal_floats(B * T * WIDTH, 1, 1),
          *dout = normal_floats(B * T * C, 1, 2);
    for (AttentionKind kind = ATTENTION_PLAIN; kind <= ATTENTION_ONLINE; kind++) {
        Pass before = pass(qkv, B, T, mask, kind, dout);
        for (size_t i = 0; i < B * T * WIDTH; i++) {
            if (!mask[i / WIDTH]) qkv[i] = NAN;
        }
        Pass after = pass(qkv, B, T, mask, kind, dout);
        CHECK(memcmp(before.out->data, after.out->data, B * T * C * sizeof(float)) == 0,
              "an output changes when queries, keys and values of padding are NaN");
        CHECK(memcmp(before.qkv->grad, after.qkv->grad,
                     B * T * WIDTH * sizeof(float)) == 0,
              "a gradient changes when queries, keys and values of padding are NaN");
    }
}

Test(masked_attention, padding_gives_and_gets_nothing, .timeout = 10) {
    float *qkv = normal_floats(B * T * WIDTH, 1, 1),
          *dout = normal_floats(B * T * C, 1, 2);
    Pass p = pass(qkv, B, T, mask, ATTENTION_PLAIN, dout);
    for (size_t i = 0; i < B * T; i++) {
        if (mask[i]) continue;
        for (size_t c = 0; c < C; c++)
            CHECK(p.out->data[i * C + c] == 0, "padding %zu has an output", i);
        for (size_t c = 0; c < WIDTH; c++)
            CHECK(p.qkv->grad[i * WIDTH + c] == 0, "padding %zu has a gradient", i);
    }
    for (size_t i = 0; i < B * HEADS * T; i++) {
        const float *row = p.weights->data + i * T;
        const int *keys = mask + i / (HEADS * T) * T;
        double sum = 0;
        for (size_t s = 0; s < T; s++) {
            sum += (double)row[s];
            CHECK(keys[s] || row[s] == 0, "row %zu: padding has the weight %g", i,
                  (double)row[s]);
        }
        CHECK(fabs(sum - keys[i % T]) < 1e-6, "the weights of row %zu sum to %g", i,
              sum);
    }
}

Test(masked_attention, a_mask_of_ones_changes_nothing, .timeout = 10) {
    float *qkv = normal_floats(B * T * WIDTH, 1, 1),
          *dout = normal_floats(B * T * C, 1, 2);
    int ones[B * T];
    for (size_t i = 0; i < B * T; i++) ones[i] = 1;
    Pass with = pass(qkv, B, T, ones, ATTENTION_PLAIN, dout),
         without = pass(qkv, B, T, NULL, ATTENTION_PLAIN, dout);
    cr_assert_eq(memcmp(with.out->data, without.out->data, B * T * C * sizeof(float)),
                 0);
    cr_assert_eq(memcmp(with.weights->data, without.weights->data,
                        B * HEADS * T * T * sizeof(float)),
                 0);
}

/* The judge of open problem 07/one_layer_copies. */
#include "07-attention/problems/one_layer_copies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "07-attention/causal_attention.h"
#include "base/error.h"
#include "program/problem.h"
#include "math/random.h"
#include "kernels/reduce.h"

enum { WORDS = 8, HALF = 96, LENGTH = 2 * HALF, SKIPPED = 8, TEXTS = 10 };

typedef struct {
    float vectors[WORDS][WORD_DIM];
    int tokens[LENGTH];
    float words[LENGTH * WORD_DIM];
} Text;

typedef struct {
    float queries[LENGTH * HEAD_DIM], keys[LENGTH * HEAD_DIM];
} Head;

static void text_draw(Text *text, Random *random) {
    for (size_t w = 0; w < WORDS; w++) {
        float *x = text->vectors[w];
        random_fill_normal(random, x, WORD_DIM, 1);
        float length = sqrtf(row_dot(x, x, WORD_DIM));
        for (size_t i = 0; i < WORD_DIM; i++) x[i] /= length;
    }
    for (size_t t = 0; t < LENGTH; t++) {
        text->tokens[t] =
            t < HALF ? (int)random_below(random, WORDS) : text->tokens[t - HALF];
        memcpy(text->words + t * WORD_DIM, text->vectors[text->tokens[t]],
               sizeof *text->vectors);
    }
}

static void expect_same(const char *what, const float *row, const float *other,
                        size_t t) {
    if (memcmp(row + t * HEAD_DIM, other + t * HEAD_DIM, HEAD_DIM * sizeof *row) != 0)
        die("row %zu of the %s depends on words behind it", t, what);
}

static void head_of(Head *head, const Text *text) {
    memset(head, 0, sizeof *head);
    queries_and_keys(head->queries, head->keys, text->words, LENGTH);
}

/* Other words from one place on must leave the rows before it as they are, to the last
 * bit. */
static void expect_causal(const Head *head, const Text *text, Random *random) {
    static Text other;
    static Head changed;
    size_t from = HALF + random_below(random, HALF);
    other = *text;
    random_fill_normal(random, other.words + from * WORD_DIM,
                       (LENGTH - from) * WORD_DIM, 1);
    head_of(&changed, &other);
    for (size_t t = 0; t < from; t++) {
        expect_same("queries", head->queries, changed.queries, t);
        expect_same("keys", head->keys, changed.keys, t);
    }
}

/* The head's output [WORD_DIM] at place t; values are as wide as keys, so they are
 * filled up with zeros. */
static void attend(float *out, const Head *head, const Text *text) {
    static float values[LENGTH * HEAD_DIM], weights[LENGTH * LENGTH],
        scratch[LENGTH * LENGTH];
    for (size_t t = 0; t < LENGTH; t++)
        memcpy(values + t * HEAD_DIM, text->words + t * WORD_DIM,
               WORD_DIM * sizeof *values);
    AttentionShape shape = {
        .n_heads = 1, .length = LENGTH, .head_dim = HEAD_DIM, .causal = true};
    attention_forward(out, weights, scratch, head->queries, head->keys, values, &shape);
}

static int nearest(const Text *text, const float *x) {
    int best = 0;
    for (int w = 1; w < WORDS; w++) {
        if (row_dot(text->vectors[w], x, WORD_DIM) >
            row_dot(text->vectors[best], x, WORD_DIM))
            best = w;
    }
    return best;
}

/* The share of words of the second half that the head names one place before, but for
 * the first ones. */
static double right_share(uint64_t seed) {
    static Text text;
    static Head head;
    static float out[LENGTH * HEAD_DIM];
    Random random = random_create(seed);
    size_t right = 0, all = 0;
    for (size_t n = 0; n < TEXTS; n++) {
        text_draw(&text, &random);
        head_of(&head, &text);
        expect_causal(&head, &text, &random);
        attend(out, &head, &text);
        for (size_t t = HALF + SKIPPED; t + 1 < LENGTH; t++, all++)
            right += nearest(&text, out + t * HEAD_DIM) == text.tokens[t + 1];
    }
    return (double)right / (double)all;
}

static void judge(const Settings *settings) {
    double right[PROBLEM_SEEDS];
    problem_measure(right, settings, right_share,
                    "%.3f of the words of the second half are right");
    problem_at_least("right words", right, 0.9);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "07/one_layer_copies", judge);
}

/* Texts of different lengths in one batch: what the wrong masks cost a trained model,
 * with padding in front and behind. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/softmax_layer.h"
#include "10-gpt2/experiments/experiments.h"
#include "10-gpt2/experiments/small_gpt2.h"
#include "10-gpt2/experiments/wrong_masks.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"

enum { TEXTS = 64, LENGTH = SMALL_CONTEXT, SHORTEST = 8, MAX_SEEDS = 5 };
/* A line feed ends a story, as GPT-2's <|endoftext|> ends a text: it has no token for
 * padding, so that one is taken. */
enum { PADDING = '\n' };

typedef struct {
    int tokens[TEXTS * LENGTH], mask[TEXTS * LENGTH], targets[TEXTS * LENGTH];
} Batch;

/* The beginnings of stories, 8 to 63 bytes of each. */
static void fill(Batch *b, const Bytes *text, bool in_front) {
    Random random = random_create(1);
    size_t at = 0;
    for (size_t row = 0; row < TEXTS; row++) {
        size_t n = SHORTEST + random_below(&random, LENGTH - SHORTEST),
               first = in_front ? LENGTH - n : 0;
        for (size_t i = 0; i < LENGTH; i++) {
            size_t to = row * LENGTH + i;
            b->mask[to] = i >= first && i < first + n;
            b->tokens[to] = b->mask[to] ? text->tokens[at + i - first] : PADDING;
        }
        while (text->tokens[at++] != '\n') continue;
    }
    next_tokens(b->targets, b->tokens, b->mask, TEXTS, LENGTH);
}

typedef struct {
    double right;         /* the model's own attention */
    double with[N_MASKS]; /* a mask added to the scores */
    double all_count;     /* right, but the loss counts every place of the rows */
} Losses;

static double loss_of(Tape *t, const Gpt2 *model, Tensor *hidden, const int *targets) {
    return (double)cross_entropy(t, gpt2_head(t, model, hidden), targets)->data[0];
}

static Losses measure(const Gpt2 *model, bool in_front) {
    static Batch b;
    Bytes text = small_gpt2_text(1000, 1 << 15);
    fill(&b, &text, in_front);
    free(text.tokens);
    Gpt2Input input = {
        .tokens = b.tokens, .batch = TEXTS, .length = LENGTH, .mask = b.mask};
    Losses l;
    Tape t = tape_for_inference();
    Tensor *hidden = gpt2_hidden(&t, model, &input);
    l.right = loss_of(&t, model, hidden, b.targets);
    for (MaskKind kind = 0; kind < N_MASKS; kind++)
        l.with[kind] =
            loss_of(&t, model, wrong_mask_hidden(&t, model, &input, kind), b.targets);
    next_tokens(b.targets, b.tokens, NULL, TEXTS, LENGTH);
    l.all_count = loss_of(&t, model, hidden, b.targets);
    tape_free(&t);
    return l;
}

static void log_losses(Csv *csv, const char *padding, uint64_t seed, const Losses *l) {
    unsigned long long number = seed;
    csv_row(csv, "%s,%llu,none,%.6g", padding, number, l->right);
    for (MaskKind kind = 0; kind < N_MASKS; kind++)
        csv_row(csv, "%s,%llu,%s,%.6g", padding, number, mask_name(kind),
                l->with[kind]);
    csv_row(csv, "%s,%llu,loss-counts-padding,%.6g", padding, number, l->all_count);
}

/* What must hold of each model. */
static void check(const Losses *front, const Losses *behind) {
    const double close = 1e-5;
    bool right = true, nan = true, harmless = true;
    for (MaskKind kind = 0; kind < N_MASKS; kind++)
        harmless = harmless && (fabs(behind->with[kind] - behind->right) < close);
    right = fabs(front->with[MASK_RIGHT] - front->right) < close &&
            fabs(front->with[MASK_FLOAT] - front->right) < close;
    nan = isnan(front->with[MASK_HALF]) && isnan(front->with[MASK_ZERO_BY_ZERO]);
    claim(right, "minus infinity and -1e9 give the loss of the texts alone");
    claim(nan, "-1e9 in half precision and 0/0 give no number");
    for (MaskKind kind = MASK_NONE; kind < N_MASKS; kind++)
        claim(front->with[kind] > front->right, "%s: the loss rises from %.2f to %.2f",
              mask_name(kind), front->right, front->with[kind]);
    claim(harmless, "behind the texts, the causal mask hides padding from all of them");
    claim(fabs(front->right - behind->right) < close,
          "padding in front or behind is no matter");
}

void experiment_padding(const Settings *settings) {
    size_t n_seeds = settings->quick ? 1 : MAX_SEEDS,
           steps = settings->quick ? 100 : 1000;
    Csv csv = csv_begin(settings->out, "padding", "padding,seed,mistake,loss");
    Losses front[MAX_SEEDS], behind[MAX_SEEDS];
    for (size_t s = 0; s < n_seeds; s++) {
        uint64_t seed = settings->seed + s;
        Bytes text = small_gpt2_text(seed, 1000000);
        Gpt2 *model = small_gpt2_train(&text, steps, seed);
        front[s] = measure(model, true);
        behind[s] = measure(model, false);
        log_losses(&csv, "front", seed, &front[s]);
        log_losses(&csv, "behind", seed, &behind[s]);
        gpt2_free(model);
        free(text.tokens);
    }
    csv_commit(&csv);
    for (size_t s = 0; s < n_seeds; s++) check(&front[s], &behind[s]);
}

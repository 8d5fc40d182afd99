/* The effect of an evaluation's stride: a new text is scored with windows that overlap
 * more and more. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "10-gpt2/eval.h"
#include "10-gpt2/experiments/experiments.h"
#include "10-gpt2/experiments/small_gpt2.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "kernels/reduce.h"

enum { N_STRIDES = 7, HALF = 2, MAX_SEEDS = 6 };

/* strides[HALF]: each window overlaps half of the one before it. */
static const size_t strides[N_STRIDES] = {64, 48, 32, 16, 8, 4, 1};

/* The mean loss at each position of a window, over windows that start at every byte:
 * losses[p] is that of the token behind p + 1 others. */
static void loss_by_position(double losses[SMALL_CONTEXT], const Gpt2 *model,
                             const Bytes *text) {
    Tape t = tape_for_inference();
    size_t n = 0;
    for (size_t p = 0; p < SMALL_CONTEXT; p++) losses[p] = 0;
    for (size_t from = 0; from + SMALL_CONTEXT < text->n; from++, n++) {
        const int *tokens = text->tokens + from;
        Gpt2Input input = {.tokens = tokens, .batch = 1, .length = SMALL_CONTEXT};
        const float *logits = gpt2_logits(&t, model, &input)->data;
        float logsumexp[SMALL_CONTEXT];
        cross_entropy_forward(logsumexp, logits, tokens + 1, SMALL_CONTEXT,
                              SMALL_VOCAB);
        for (size_t p = 0; p < SMALL_CONTEXT; p++)
            losses[p] += (double)logsumexp[p] -
                         (double)logits[p * SMALL_VOCAB + (size_t)tokens[p + 1]];
        tape_reset(&t);
    }
    for (size_t p = 0; p < SMALL_CONTEXT; p++) losses[p] /= (double)n;
    tape_free(&t);
}

/* The last position of a window, and its row of the position table. */
typedef struct {
    double own, neighbour; /* the loss there: with its row, and with a copy of the row
                              before it */
    double own_norm, neighbour_norm; /* of the two rows */
} LastPosition;

static LastPosition last_position(Gpt2 *model, const Bytes *text,
                                  const double losses[SMALL_CONTEXT]) {
    float *row = model->wpe->data + (SMALL_CONTEXT - 1) * SMALL_WIDTH,
          *before = row - SMALL_WIDTH, kept[SMALL_WIDTH];
    double with_neighbour[SMALL_CONTEXT];
    LastPosition last = {.own = losses[SMALL_CONTEXT - 1],
                         .own_norm = sqrt((double)row_dot(row, row, SMALL_WIDTH)),
                         .neighbour_norm =
                             sqrt((double)row_dot(before, before, SMALL_WIDTH))};
    memcpy(kept, row, sizeof kept);
    memcpy(row, before, sizeof kept);
    loss_by_position(with_neighbour, model, text);
    memcpy(row, kept, sizeof kept);
    last.neighbour = with_neighbour[SMALL_CONTEXT - 1];
    return last;
}

static void report_last_positions(const LastPosition *last, size_t n_seeds,
                                  const Settings *settings) {
    Csv csv = csv_begin(settings->out, "last-position",
                        "seed,loss,loss_neighbour,norm,norm_neighbour");
    double highest = 0, highest_neighbour = 0;
    printf("\nat the last position of a window:\n%4s %8s %20s %12s %14s\n", "seed",
           "loss", "with the row before", "norm of row", "of row before");
    for (size_t s = 0; s < n_seeds; s++, last++) {
        unsigned long long seed = settings->seed + s;
        printf("%4llu %8.4f %20.4f %12.2f %14.2f\n", seed, last->own, last->neighbour,
               last->own_norm, last->neighbour_norm);
        csv_row(&csv, "%llu,%.6g,%.6g,%.6g,%.6g", seed, last->own, last->neighbour,
                last->own_norm, last->neighbour_norm);
        highest = larger(highest, last->own);
        highest_neighbour = larger(highest_neighbour, last->neighbour);
    }
    csv_commit(&csv);
    /* one model that has hardly begun to learn says nothing of the next */
    if (settings->quick) return;
    claim(highest_neighbour < highest,
          "the worst last position costs %.2f nats, and %.2f with the position row of "
          "the one before",
          highest, highest_neighbour);
}

void experiment_stride(const Settings *settings) {
    size_t n_seeds = settings->quick ? 1 : MAX_SEEDS,
           steps = settings->quick ? 100 : 1500;
    double worst = 0, gains[MAX_SEEDS], first[MAX_SEEDS];
    LastPosition last[MAX_SEEDS];
    Bytes new_text = small_gpt2_text(1000, settings->quick ? 2000 : 8000);
    Csv by_context = csv_begin(settings->out, "context", "seed,before,loss"),
        by_stride = csv_begin(settings->out, "stride",
                              "seed,stride,windows,loss,predicted,bits_per_byte");
    printf("%4s %7s %8s %8s %10s %14s\n", "seed", "stride", "windows", "loss",
           "predicted", "bits per byte");
    for (size_t s = 0; s < n_seeds; s++) {
        unsigned long long seed = settings->seed + s;
        Bytes text = small_gpt2_text(seed, 1000000);
        Gpt2 *model = small_gpt2_train(&text, steps, seed);
        double losses[SMALL_CONTEXT], measured[N_STRIDES];
        loss_by_position(losses, model, &new_text);
        for (size_t p = 0; p < SMALL_CONTEXT; p++)
            csv_row(&by_context, "%llu,%zu,%.6g", seed, p + 1, losses[p]);
        for (size_t i = 0; i < N_STRIDES; i++) {
            Evaluation e =
                gpt2_evaluate(model, new_text.tokens, new_text.n, strides[i]);
            double predicted = mean_of_last(losses, SMALL_CONTEXT, strides[i]);
            measured[i] = evaluation_loss(&e);
            double bits = evaluation_bits_per_byte(&e, new_text.n);
            printf("%4llu %7zu %8zu %8.4f %10.4f %14.4f\n", seed, strides[i], e.windows,
                   measured[i], predicted, bits);
            csv_row(&by_stride, "%llu,%zu,%zu,%.6g,%.6g,%.6g", seed, strides[i],
                    e.windows, measured[i], predicted, bits);
            worst = larger(worst, fabs(measured[i] / predicted - 1));
        }
        gains[s] = measured[0] - measured[HALF];
        first[s] = losses[0] - losses[SMALL_CONTEXT - 1];
        last[s] = last_position(model, &new_text, losses);
        gpt2_free(model);
        free(text.tokens);
    }
    csv_commit(&by_context);
    csv_commit(&by_stride);
    free(new_text.tokens);
    double least_gain = INFINITY, least_first = INFINITY;
    for (size_t s = 0; s < n_seeds; s++) {
        least_gain = smaller(least_gain, gains[s]);
        least_first = smaller(least_first, first[s]);
    }
    claim(least_first > 0.5,
          "behind one token the loss is %.2f nats higher than behind 64, or more",
          least_first);
    claim(least_gain > 0,
          "an overlap of half a window scores the same text %.3f nats a token better, "
          "or more",
          least_gain);
    claim(worst < 0.02,
          "the loss at a stride is the mean over the contexts it gives, within %.1f %%",
          100 * worst);
    report_last_positions(last, n_seeds, settings);
}

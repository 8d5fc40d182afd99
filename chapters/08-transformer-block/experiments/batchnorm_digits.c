/* The ablation's row BatchNorm, read with the running statistics as well: how many
 * steps does the task take then? */
#include <math.h>
#include <stdio.h>

#include "00-tensors/softmax_layer.h"
#include "08-transformer-block/experiments/experiments.h"
#include "08-transformer-block/experiments/variants.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"

enum { LAYERS = 8, MAX_SEEDS = 5, MAX_STEPS = 180, STREAM_TEST = 3 };
enum { FULL, BATCH_NORM, NORMS };
static const char *const names[NORMS] = {"full", "BatchNorm"};

/* The loss of each step on sentences of their own, read as after training. */
typedef struct {
    Tape tape;
    Random data;
    double losses[MAX_STEPS];
} Exam;

static void examine(void *context, const SmallModel *m, size_t step) {
    Exam *e = context;
    int tokens[DIGITS_BATCH * DIGITS_LENGTH], targets[DIGITS_BATCH * DIGITS_LENGTH];
    digits_draw(tokens, targets, &e->data);
    tape_reset(&e->tape);
    Tensor *logits = small_model_logits(&e->tape, m, tokens, DIGITS_BATCH, NULL);
    e->losses[step] = (double)cross_entropy(&e->tape, logits, targets)->data[0];
}

/* Steps to SOLVED, on the batch that is trained on and in the exam. */
typedef struct {
    double training, exam;
} Steps;

static Steps steps_of(const Variant *variant, size_t steps, uint64_t seed) {
    double losses[MAX_STEPS];
    Exam exam = {.tape = tape_for_inference(),
                 .data = random_stream(seed, STREAM_TEST)};
    AblationRun run = {.n_layer = LAYERS,
                       .scaled_init = true,
                       .steps = steps,
                       .seed = seed,
                       .on_step = examine,
                       .context = &exam};
    ablation_train(losses, variant, &run);
    tape_free(&exam.tape);
    return (Steps){(double)ablation_steps_to(losses, steps, SOLVED),
                   (double)ablation_steps_to(exam.losses, steps, SOLVED)};
}

void experiment_batchnorm_digits(const Settings *settings) {
    size_t seeds = settings->quick ? 2 : MAX_SEEDS, runs = NORMS * seeds;
    Steps steps[NORMS][MAX_SEEDS];
    /* The list of variants is made here, once: threads only read it. */
    const Variant *variants[NORMS];
    for (size_t norm = 0; norm < NORMS; norm++)
        variants[norm] = ablation_variant(names[norm]);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < runs; i++) {
        size_t norm = i / seeds, s = i % seeds;
        steps[norm][s] = steps_of(variants[norm], MAX_STEPS, settings->seed + s);
    }
    Csv csv = csv_begin(settings->out, "batchnorm-digits",
                        "variant,seed,training_steps,exam_steps");
    for (size_t i = 0; i < runs; i++) {
        const Steps *x = &steps[i / seeds][i % seeds];
        csv_row(&csv, "%s,%zu,%.0f,%.0f", names[i / seeds], i % seeds + 1, x->training,
                x->exam);
    }
    csv_commit(&csv);
    for (size_t i = 0; i < runs; i++) {
        const Steps *x = &steps[i / seeds][i % seeds];
        printf("%-10s seed %zu: %4.0f steps by its training batch, %4.0f by the exam\n",
               names[i / seeds], i % seeds + 1, x->training, x->exam);
    }
    double later = 0, lead = INFINITY;
    for (size_t s = 0; s < seeds; s++) {
        const Steps *full = &steps[FULL][s], *batch = &steps[BATCH_NORM][s];
        later = larger(later, batch->exam - batch->training);
        lead = smaller(lead, full->exam - batch->exam);
    }
    claim(later <= 5,
          "BatchNorm: in the exam, with running statistics, %+.0f steps at most (5)",
          later);
    claim(lead > 0, "  and %.0f or more before LayerNorm with the same seed (above 0)",
          lead);
}

/* Tests of the training run: what must be the same in two runs is, and what must differ
 * does. */
#include "03-rmsnorm/norm_training.h"

#include "02-pre-ln-vs-post-ln/stack_training.h"
#include "check/check.h"

enum { STEPS = TRAINING_LOOK + 3 };

static NormTrainingResult run(NormChoice norm, double offset, uint64_t seed) {
    return norm_train(
        &(NormTraining){.norm = norm, .offset = offset, .steps = STEPS, .seed = seed},
        NULL, NULL);
}

/* Measuring the whole row is RMSNorm,
 * so the two must start from the same weights and see the same batches. */
Test(norm_training, a_part_of_everything_is_rmsnorm, .timeout = 60) {
    double rms = run((NormChoice){NORM_RMS, 0}, 0, 1).loss;
    double whole = run((NormChoice){NORM_RMS, TRAINING_WIDTH}, 0, 1).loss;
    CHECK(rms == whole,
          "RMSNorm ends at %.9g, pRMSNorm that measures the whole row at %.9g", rms,
          whole);
}

Test(norm_training, the_offset_is_a_mean, .timeout = 60) {
    NormTrainingResult without = run((NormChoice){NORM_LAYER, 0}, 0, 1),
                       with = run((NormChoice){NORM_LAYER, 0}, 100, 1);
    CHECK(without.first_mean < 0.5 && with.first_mean > 50,
          "mean / deviation is %g, and %g with an offset of 100", without.first_mean,
          with.first_mean);
    CHECK_NUMBER("LayerNorm's loss with an offset", with.loss, without.loss, 1e-2);
}

typedef struct {
    size_t n, steps[8];
    double last;
} Looks;

static void look(void *context, size_t step, double loss) {
    Looks *l = context;
    if (l->n < 8) l->steps[l->n++] = step;
    l->last = loss;
}

Test(norm_training, looks_at_the_start_in_between_and_at_the_end, .timeout = 60) {
    Looks looks = {0};
    NormTraining config = {.norm = {NORM_RMS, 0}, .steps = STEPS, .seed = 1};
    NormTrainingResult result = norm_train(&config, look, &looks);
    CHECK(looks.n == 3 && looks.steps[0] == 0 && looks.steps[1] == TRAINING_LOOK &&
              looks.steps[2] == STEPS,
          "%zu looks, expected 3: at 0, %d and %d", looks.n, TRAINING_LOOK, STEPS);
    CHECK(looks.last == result.loss, "the last look is %g, the result %g", looks.last,
          result.loss);
    double guess = teacher_guess_loss(TRAINING_WIDTH, TRAINING_CLASSES);
    CHECK(result.loss < guess, "after %d steps the loss is %g, guessing %g", STEPS,
          result.loss, guess);
}

/* Tests of the training run: what must be the same in two runs is, and what must differ
 * does. */
#include "03-rmsnorm/norm_training.h"

#include "02-pre-ln-vs-post-ln/stack_training.h"
#include "check/check.h"

enum { STEPS = 53 };

static NormTrainingResult run(NormChoice norm, double offset, uint64_t seed) {
    return norm_train(
        &(NormTraining){.norm = norm, .offset = offset, .steps = STEPS, .seed = seed});
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

Test(norm_training, learns, .timeout = 60) {
    double loss = run((NormChoice){NORM_RMS, 0}, 0, 1).loss,
           guess = teacher_guess_loss(TRAINING_WIDTH, TRAINING_CLASSES);
    CHECK(loss < guess, "after %d steps the loss is %g, guessing %g", STEPS, loss,
          guess);
}

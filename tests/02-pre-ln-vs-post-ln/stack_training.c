/* Tests of the training run that experiments share, and of the line fit behind their
 * claims. */
#include "02-pre-ln-vs-post-ln/stack_training.h"

#include <math.h>

#include "check/check.h"

typedef struct {
    size_t calls, last_step;
    float first_loss;
    bool gradients;
} Seen;

static void watch(void *context, const Stack *s, size_t step, float loss) {
    Seen *seen = context;
    if (seen->calls++ == 0) seen->first_loss = loss;
    seen->last_step = step;
    seen->gradients = tensor_grad_norm(s->mlps[0].up.weight) > 0;
}

static StackTraining small(uint64_t seed) {
    StackConfig stack = {
        .d_model = 16, .d_hidden = 32, .depth = 3, .placement = PRE_LN, .n_out = 4};
    return (StackTraining){
        .stack = stack, .steps = 80, .batch = 16, .peak = 5e-3f, .seed = seed};
}

Test(stack_training, learns, .timeout = 20) {
    Seen seen = {0};
    StackTraining config = small(1);
    double end = stack_train(&config, watch, &seen);
    CHECK(seen.calls == 80 && seen.last_step == 80,
          "on_step ran %zu times, expected 80", seen.calls);
    CHECK(seen.gradients, "on_step saw no gradients");
    CHECK(end < 0.8 * (double)seen.first_loss, "the loss went from %g to %g only",
          (double)seen.first_loss, end);
}

static void add_a_parameter(void *context, Params *params, Stack *s) {
    *(size_t *)context = s->config.depth;
    params_add(params, 1, (size_t[]){3}, "extra");
    for (size_t l = 0; l < s->config.depth; l++) s->residuals[l].sublayer = (Layer){0};
}

/* Without its sublayers the stack learns something else, and the new parameter does not
 * disturb the optimizer. */
Test(stack_training, prepares_before_the_first_step, .timeout = 20) {
    StackTraining config = small(1), changed = small(1);
    changed.prepare = add_a_parameter;
    size_t depth = 0;
    double whole = stack_train(&config, NULL, NULL),
           without = stack_train(&changed, NULL, &depth);
    CHECK(depth == 3, "prepare saw a stack of depth %zu, expected 3", depth);
    CHECK(whole != without,
          "prepare took the sublayers out, and the loss is still %.17g", without);
}

/* Between one class only and all equally frequent; and above what training reaches. */
Test(stack_training, guess_loss, .timeout = 20) {
    StackTraining config = small(1);
    double guess = teacher_guess_loss(16, 4),
           trained = stack_train(&config, NULL, NULL);
    CHECK(guess > 0 && guess <= log(4) + 1e-9,
          "the loss of guessing is %g, expected 0 to ln 4", guess);
    CHECK(trained < guess, "training reached %g, guessing %g", trained, guess);
}

/* A short training run of a stack: see stack_training.h. */
#include "02-pre-ln-vs-post-ln/stack_training.h"

#include <math.h>
#include <stdlib.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/relu.h"
#include "00-tensors/softmax_layer.h"
#include "02-pre-ln-vs-post-ln/warmup.h"
#include "math/fmath.h"
#include "base/memory.h"

enum { TEACHER_SEED = 2002 };

static Teacher teacher_draw(Random *init, size_t n_in, size_t n_classes) {
    Teacher teacher = {.n_in = n_in, .n_hidden = 2 * n_in, .n_classes = n_classes};
    teacher.up = checked_alloc(n_in * teacher.n_hidden, sizeof(float));
    teacher.down = checked_alloc(teacher.n_hidden * n_classes, sizeof(float));
    random_fill_normal(init, teacher.up, n_in * teacher.n_hidden,
                       sqrtf(1.0f / (float)n_in));
    random_fill_normal(init, teacher.down, teacher.n_hidden * n_classes, 1.0f);
    return teacher;
}

static size_t largest(const float *x, size_t n) {
    size_t best = 0;
    for (size_t i = 1; i < n; i++) best = x[i] > x[best] ? i : best;
    return best;
}

void teacher_batch(const Teacher *teacher, Random *data, float *x, int *targets,
                   size_t rows) {
    size_t n_hidden = teacher->n_hidden, n_classes = teacher->n_classes;
    float *hidden = checked_alloc(rows * n_hidden, sizeof *hidden);
    float *scores = checked_alloc(rows * n_classes, sizeof *scores);
    random_fill_normal(data, x, rows * teacher->n_in, 1.0f);
    Weight up = weight_of_floats(teacher->up, teacher->n_in, n_hidden),
           down = weight_of_floats(teacher->down, n_hidden, n_classes);
    linear_forward(hidden, x, &up, NULL, rows);
    relu_forward(hidden, hidden, rows * n_hidden);
    linear_forward(scores, hidden, &down, NULL, rows);
    for (size_t r = 0; r < rows; r++)
        targets[r] = (int)largest(scores + r * n_classes, n_classes);
    free(hidden);
    free(scores);
}

void teacher_free(Teacher *teacher) {
    free(teacher->up);
    free(teacher->down);
    *teacher = (Teacher){0};
}

Teacher teacher_create(size_t n_in, size_t n_classes) {
    Random init = random_create(TEACHER_SEED);
    return teacher_draw(&init, n_in, n_classes);
}

double teacher_guess_loss(size_t n_in, size_t n_classes) {
    enum { SAMPLES = 10000 };
    Teacher teacher = teacher_create(n_in, n_classes);
    Random data = random_stream(TEACHER_SEED, STREAM_DATA);
    float *x = checked_alloc(SAMPLES * n_in, sizeof *x);
    int *targets = checked_alloc(SAMPLES, sizeof *targets);
    double *share = checked_alloc(n_classes, sizeof *share), entropy = 0;
    teacher_batch(&teacher, &data, x, targets, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++) share[targets[i]] += 1.0 / SAMPLES;
    for (size_t c = 0; c < n_classes; c++)
        entropy -= share[c] > 0 ? share[c] * log_double(share[c]) : 0;
    teacher_free(&teacher);
    free(x);
    free(targets);
    free(share);
    return entropy;
}

double stack_train(const StackTraining *config, StackTrainingStep *on_step,
                   void *context) {
    size_t d_model = config->stack.d_model,
           tail = config->steps < TRAINING_TAIL ? config->steps : TRAINING_TAIL;
    Teacher teacher = teacher_create(d_model, config->stack.n_out);
    Random init = random_stream(config->seed, STREAM_INIT),
           data = random_stream(config->seed, STREAM_DATA);
    Params params = {.mode = PARAMS_TRAIN};
    Stack s = stack_create(&params, &init, config->stack);
    if (config->prepare) config->prepare(context, &params, &s);
    AdamW optimizer = adamw_create(&params, config->peak, 0);
    Tape t = tape_create(config->seed);
    float *x = checked_alloc(config->batch * d_model, sizeof *x);
    int *targets = checked_alloc(config->batch, sizeof *targets);
    double tail_loss = 0;
    for (size_t i = 0; i < config->unused_batches; i++)
        teacher_batch(&teacher, &data, x, targets, config->batch);
    for (size_t step = 1; step <= config->steps; step++) {
        teacher_batch(&teacher, &data, x, targets, config->batch);
        tape_reset(&t);
        params_zero_grad(&params);
        Tensor *logits =
            stack(&t, &s, tape_input(&t, 2, (size_t[]){config->batch, d_model}, x));
        Tensor *loss = cross_entropy(&t, logits, targets);
        tape_backward(&t, loss);
        if (on_step) on_step(context, &s, step, loss->data[0]);
        optimizer.settings.learning_rate =
            warmup_rate(config->peak, step, config->warmup_steps);
        adamw_step(&optimizer, &params);
        if (step > config->steps - tail)
            tail_loss += (double)loss->data[0] / (double)tail;
    }
    free(x);
    free(targets);
    tape_free(&t);
    adamw_free(&optimizer);
    stack_free(&s);
    params_free(&params);
    teacher_free(&teacher);
    return tail_loss;
}

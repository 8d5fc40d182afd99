/* One training run with any norm: see norm_training.h. */
#include "03-rmsnorm/norm_training.h"

#include <math.h>
#include <stdlib.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_layer.h"
#include "02-pre-ln-vs-post-ln/stack_training.h"
#include "03-rmsnorm/prmsnorm_layer.h"
#include "base/memory.h"

enum {
    DEPTH = 6,
    NORMS = DEPTH + 1,
    HIDDEN = 2 * TRAINING_WIDTH,
    BATCH = 64,
    HELD_OUT = 1024
};
enum { STREAM_HELD_OUT = STREAM_DATA + 1, HELD_OUT_SEED = 1910 };
static const float RATE = 2e-3f;

typedef struct {
    Params params;
    Stack stack;
    Norm norms[NORMS]; /* before each sublayer, and the final one */
    PRMSNorm partial[NORMS];
} Network;

/* The norms come last, and the stack draws its weights first: the same weights for
 * every choice. */
static void normed_stack_create(Network *n, NormChoice choice, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    *n = (Network){.params = {.mode = PARAMS_TRAIN}};
    n->stack = stack_create(&n->params, &init,
                            (StackConfig){.d_model = TRAINING_WIDTH,
                                          .d_hidden = HIDDEN,
                                          .depth = DEPTH,
                                          .placement = PRE_LN,
                                          .without_norms = true,
                                          .n_out = TRAINING_CLASSES});
    for (size_t i = 0; i < NORMS; i++) {
        char name[] = "norm.0";
        name[sizeof name - 2] = (char)('0' + i);
        Layer *place = i < DEPTH ? &n->stack.residuals[i].norm : &n->stack.final_norm;
        if (choice.part) {
            n->partial[i] =
                prmsnorm_create(&n->params, TRAINING_WIDTH, choice.part, 1e-5f, name);
            *place = prmsnorm_layer(&n->partial[i]);
        } else {
            n->norms[i] =
                norm_create(&n->params, choice.kind, TRAINING_WIDTH, 1e-5f, name);
            *place = norm_layer(&n->norms[i]);
        }
    }
}

static void normed_stack_free(Network *n) {
    for (size_t i = 0; i < NORMS; i++) norm_free(&n->norms[i]);
    stack_free(&n->stack);
    params_free(&n->params);
}

/* Inputs with their classes; the network sees them shifted. */
typedef struct {
    Teacher teacher;
    double offset;
    float x[HELD_OUT * TRAINING_WIDTH];
    int classes[HELD_OUT];
} Task;

/* Every hidden unit of the teacher gets weights that sum to 0, so that a number added
 * to all inputs does not change it. */
static void make_blind(Teacher *teacher) {
    for (size_t h = 0; h < teacher->n_hidden; h++) {
        double mean = 0;
        for (size_t i = 0; i < teacher->n_in; i++)
            mean += (double)teacher->up[i * teacher->n_hidden + h];
        mean /= (double)teacher->n_in;
        for (size_t i = 0; i < teacher->n_in; i++)
            teacher->up[i * teacher->n_hidden + h] -= (float)mean;
    }
}

static void task_draw(Task *task, Random *random, size_t rows) {
    teacher_batch(&task->teacher, random, task->x, task->classes, rows);
    for (size_t i = 0; i < rows * TRAINING_WIDTH; i++)
        task->x[i] += (float)task->offset;
}

static Tensor *loss_of(Tape *t, const Network *n, const Task *task, size_t rows,
                       Tensor **stream) {
    Tensor *x = tape_input(t, 2, (size_t[]){rows, TRAINING_WIDTH}, task->x);
    return cross_entropy(t, stack_with_stream(t, &n->stack, x, stream), task->classes);
}

/* (mean / standard deviation)^2, averaged over the rows of x. */
static double mean_square_ratio(const Tensor *x) {
    size_t rows = tensor_rows(x), dim = tensor_cols(x);
    double sum = 0;
    for (size_t r = 0; r < rows; r++) {
        double mean = 0, variance = 0;
        for (size_t i = 0; i < dim; i++)
            mean += (double)x->data[r * dim + i] / (double)dim;
        for (size_t i = 0; i < dim; i++) {
            double from_mean = (double)x->data[r * dim + i] - mean;
            variance += from_mean * from_mean / (double)dim;
        }
        sum += mean * mean / variance / (double)rows;
    }
    return sum;
}

/* The loss on samples that are never trained on, and the mean of the rows that reach
 * the norms. */
static double held_out_loss(const Network *n, Task *task, double *mean) {
    Random random = random_stream(HELD_OUT_SEED, STREAM_HELD_OUT);
    Tape t = tape_for_inference();
    Tensor *stream[DEPTH + 1];
    task_draw(task, &random, HELD_OUT);
    double loss = (double)loss_of(&t, n, task, HELD_OUT, stream)->data[0], squares = 0;
    for (size_t i = 0; i < NORMS; i++) squares += mean_square_ratio(stream[i]) / NORMS;
    *mean = sqrt(squares);
    tape_free(&t);
    return loss;
}

NormTrainingResult norm_train(const NormTraining *config) {
    Random batches = random_stream(config->seed, STREAM_DATA);
    Task *task = checked_alloc(1, sizeof *task);
    task->teacher = teacher_create(TRAINING_WIDTH, TRAINING_CLASSES);
    task->offset = config->offset;
    if (config->blind) make_blind(&task->teacher);
    Network n;
    normed_stack_create(&n, config->norm, config->seed);
    AdamW optimizer = adamw_create(&n.params, RATE, 0);
    Tape t = tape_create(config->seed);
    NormTrainingResult result;
    held_out_loss(&n, task, &result.first_mean);
    for (size_t step = 1; step <= config->steps; step++) {
        tape_reset(&t);
        params_zero_grad(&n.params);
        task_draw(task, &batches, BATCH);
        tape_backward(&t, loss_of(&t, &n, task, BATCH, NULL));
        adamw_step(&optimizer, &n.params);
    }
    result.loss = held_out_loss(&n, task, &result.last_mean);
    tape_free(&t);
    adamw_free(&optimizer);
    normed_stack_free(&n);
    teacher_free(&task->teacher);
    free(task);
    return result;
}

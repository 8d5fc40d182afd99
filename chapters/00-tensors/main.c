/* Chapter 00: a small network is built from kernels, its gradient is checked, and it is trained with SGD and
 * with AdamW. The experiment measures how well a gradient can be checked at all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/linear.h"
#include "00-tensors/optimizer.h"
#include "00-tensors/relu.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "00-tensors/spirals.h"
#include "csv.h"
#include "error.h"
#include "fit.h"
#include "fmath.h"
#include "gradcheck.h"
#include "program.h"

static size_t n_points = 200, hidden = 64, steps = 1000;
static double sgd_rate = 0.5, adamw_rate = 0.01;
static bool wrong_backward;

enum { INIT_STREAM = 1, DATA_STREAM = 2, CLASSES = 2 };

/* --- the network --- */

typedef struct {
    Linear fc1, fc2;
} Mlp;

static Mlp mlp_create(Params *params, Random *init, size_t width) {
    return (Mlp){
        .fc1 = linear_create(params, init, 2, width, true, 1.0f, "fc1"),
        .fc2 = linear_create(params, init, width, CLASSES, true, 1.0f / sqrtf((float)width), "fc2"),
    };
}

typedef struct {
    Tensor *out, *x;
} Saved;

/* Passes the gradient on everywhere, also where relu was 0. */
static void backward_without_mask(void *saved) {
    Saved *s = saved;
    for (size_t i = 0; i < tensor_size(s->x); i++) s->x->grad[i] += s->out->grad[i];
}

static Tensor *relu_with_wrong_backward(Tape *t, Tensor *x) {
    Tensor *out = tape_output(t, x->ndim, x->shape, TAPE_WANTS_GRAD(t, x));
    relu_forward(out->data, x->data, tensor_size(x));
    if (out->grad) tape_record(t, backward_without_mask, &(Saved){out, x}, sizeof(Saved));
    return out;
}

//> mlp_forward
static Tensor *mlp(Tape *t, const Mlp *m, Tensor *x) {
    Tensor *h = linear(t, &m->fc1, x);
    h = wrong_backward ? relu_with_wrong_backward(t, h) : relu(t, h);
    return linear(t, &m->fc2, h);
}
//< mlp_forward

/* --- the gradient check --- */

typedef struct {
    const float *x;
    const int *classes;
    size_t n, width;
} CheckContext;

/* -ln softmax(logits)[target] */
static double plain_loss(const double *logits, size_t n_classes, size_t target) {
    double max = logits[0], sum = 0;
    for (size_t i = 1; i < n_classes; i++) max = fmax(max, logits[i]);
    for (size_t i = 0; i < n_classes; i++) sum += exp_double(logits[i] - max);
    return max + log_double(sum) - logits[target];
}

/* The same network written plainly in double: all parameters in one list, in the order they are registered.
 */
static double plain_mlp_loss(const double *parameters, size_t count, void *context) {
    const CheckContext *c = context;
    const double *w1 = parameters, *b1 = w1 + 2 * c->width, *w2 = b1 + c->width,
                 *b2 = parameters + count - CLASSES;
    double sum = 0;
    for (size_t p = 0; p < c->n; p++) {
        double logits[CLASSES] = {b2[0], b2[1]};
        for (size_t i = 0; i < c->width; i++) {
            double h = b1[i] + (double)c->x[2 * p] * w1[i] + (double)c->x[2 * p + 1] * w1[c->width + i];
            for (size_t j = 0; h > 0 && j < CLASSES; j++) logits[j] += h * w2[i * CLASSES + j];
        }
        sum += plain_loss(logits, CLASSES, (size_t)c->classes[p]);
    }
    return sum / (double)c->n;
}

static void check_gradient(const Params *params, const CheckContext *context) {
    size_t count = params_count(params), at = 0;
    double *all = checked_alloc(count, sizeof *all), *numeric = checked_alloc(count, sizeof *numeric);
    for (size_t i = 0; i < params->n; i++) {
        const Tensor *x = params->items[i].tensor;
        for (size_t j = 0; j < tensor_size(x); j++) all[at++] = (double)x->data[j];
    }
    numeric_gradient(numeric, plain_mlp_loss, all, count, 1e-6, (void *)context);

    printf("gradient of the loss, by the tape and by differences (%zu points)\n", context->n);
    printf("parameter   shape      largest    relative difference\n");
    at = 0;
    for (size_t i = 0; i < params->n; i++) {
        char shape[TENSOR_SHAPE_TEXT];
        const Tensor *x = params->items[i].tensor;
        double largest = 0;
        for (size_t j = 0; j < tensor_size(x); j++) largest = fmax(largest, fabs(numeric[at + j]));
        double difference = relative_difference(x->grad, numeric + at, tensor_size(x));
        printf("%-11s %-10s %-10.4f ", params->items[i].name, tensor_shape_text(x, shape), largest);
        if (difference < 1e-5) {
            printf("below 0.00001\n");
        } else {
            printf("%.5f  <- wrong\n", difference);
        }
        at += tensor_size(x);
    }
    free(all);
    free(numeric);
}

/* --- training --- */

typedef struct {
    Params params;
    Mlp model;
    Tape tape;
    AdamW adamw;
    size_t first_mallocs; /* how often the arena had grown after the first step */
} Run;

static Run run_create(const Settings *settings) {
    Run run = {.params = {.mode = PARAMS_TRAIN}, .tape = tape_create(settings->seed)};
    Random init = random_stream(settings->seed, INIT_STREAM);
    run.model = mlp_create(&run.params, &init, hidden);
    run.adamw = adamw_create(&run.params, (float)adamw_rate, 0.01f);
    return run;
}

static void run_free(Run *run) {
    adamw_free(&run->adamw);
    tape_free(&run->tape);
    params_free(&run->params);
}

static double accuracy(const Tensor *logits, const int *classes) {
    size_t right = 0, n = tensor_rows(logits);
    for (size_t r = 0; r < n; r++)
        right += (logits->data[2 * r + 1] > logits->data[2 * r]) == (classes[r] == 1);
    return (double)right / (double)n;
}

/* Loss and accuracy before the step, and the gradients. */
//> train_step
static float forward_backward(Run *run, const float *x, const int *classes, size_t n, double *right) {
    Tape *t = &run->tape;
    Tensor *logits = mlp(t, &run->model, tape_input(t, 2, (size_t[]){n, 2}, x));
    Tensor *loss = cross_entropy(t, logits, classes);
    float value = loss->data[0];
    *right = accuracy(logits, classes);
    params_zero_grad(&run->params);
    tape_backward(t, loss);
    tape_reset(t);
    return value;
}
//< train_step

static void demo(const Settings *settings) {
    Random random = random_stream(settings->seed, DATA_STREAM);
    float *x = checked_alloc(2 * n_points, sizeof *x);
    int *classes = checked_alloc(n_points, sizeof *classes);
    spirals_fill(x, classes, n_points, &random);

    Run sgd = run_create(settings), adamw = run_create(settings);
    size_t n_check = n_points < 32 ? n_points : 32;
    double sgd_right, adamw_right;
    forward_backward(&sgd, x, classes, n_check, &sgd_right);
    check_gradient(&sgd.params, &(CheckContext){x, classes, n_check, hidden});

    printf("\ntwo spirals, %zu points, %zu parameters; untrained loss near ln 2 = 0.693\n", n_points,
           params_count(&sgd.params));
    printf("           SGD %-8g          AdamW %g\n", sgd_rate, adamw_rate);
    printf("  step     loss  accuracy       loss  accuracy\n");
    for (size_t step = 0; step <= steps; step++) {
        double sgd_loss = (double)forward_backward(&sgd, x, classes, n_points, &sgd_right);
        double adamw_loss = (double)forward_backward(&adamw, x, classes, n_points, &adamw_right);
        if (step % (steps / 10 ? steps / 10 : 1) == 0) {
            printf("%6zu   %6.4f     %.3f     %6.4f     %.3f\n", step, sgd_loss, sgd_right, adamw_loss,
                   adamw_right);
        }
        sgd_step(&sgd.params, (float)sgd_rate);
        adamw_step(&adamw.adamw, &adamw.params);
        if (step == 0) adamw.first_mallocs = adamw.tape.arena.grown;
    }
    printf("\narena of the tape: %zu KiB at most; calls of malloc in the first step %zu, in all later ones "
           "%zu\n",
           adamw.tape.arena.peak / 1024, adamw.first_mallocs, adamw.tape.arena.grown - adamw.first_mallocs);
    run_free(&sgd);
    run_free(&adamw);
    free(x);
    free(classes);
}

/* --- the experiment: how well differences see a gradient --- */

enum { ROWS = 64, FEATURES = 8, OUTPUTS = 4, WEIGHTS = FEATURES * OUTPUTS, PROBLEMS = 8, MAX_HALVINGS = 44 };

/* Softmax regression: a smooth loss of WEIGHTS numbers, with derivatives that can be written down. */
typedef struct {
    float x[ROWS * FEATURES];
    int classes[ROWS];
    double weights[WEIGHTS]; /* multiples of 1/64, so that adding a power of two is exact, in float too */
} Problem;

static Problem problem_create(uint64_t seed, uint64_t number) {
    Problem p;
    Random random = random_stream(seed, DATA_STREAM + 1 + number);
    random_fill_normal(&random, p.x, ROWS * FEATURES, 1.0f);
    for (size_t r = 0; r < ROWS; r++) p.classes[r] = (int)random_below(&random, OUTPUTS);
    for (size_t i = 0; i < WEIGHTS; i++) p.weights[i] = ((double)random_below(&random, 127) - 63) / 64;
    return p;
}

static double loss_in_double(const double *weights, size_t n, void *problem) {
    const Problem *p = problem;
    double sum = 0;
    for (size_t r = 0; r < ROWS; r++) {
        double logits[OUTPUTS] = {0};
        for (size_t i = 0; i < n; i++)
            logits[i % OUTPUTS] += (double)p->x[r * FEATURES + i / OUTPUTS] * weights[i];
        sum += plain_loss(logits, OUTPUTS, (size_t)p->classes[r]);
    }
    return sum / ROWS;
}

/* The same by the kernels that training uses. */
static double loss_in_float(const double *weights, size_t n, void *problem) {
    const Problem *p = problem;
    float rounded[WEIGHTS], logits[ROWS * OUTPUTS], logsumexp[ROWS];
    for (size_t i = 0; i < n; i++) rounded[i] = (float)weights[i];
    linear_forward(logits, p->x, rounded, NULL, ROWS, FEATURES, OUTPUTS);
    return (double)cross_entropy_forward(logsumexp, logits, p->classes, ROWS, OUTPUTS);
}

/* dL/dw = mean of x (q - onehot) and its second derivative, mean of x^3 q (1 - q) (1 - 2q), with the
 * probabilities q. */
static void exact_derivatives(double *first, double *third, const Problem *p) {
    memset(first, 0, WEIGHTS * sizeof *first);
    memset(third, 0, WEIGHTS * sizeof *third);
    for (size_t r = 0; r < ROWS; r++) {
        double logits[OUTPUTS] = {0};
        for (size_t i = 0; i < WEIGHTS; i++) {
            logits[i % OUTPUTS] += (double)p->x[r * FEATURES + i / OUTPUTS] * p->weights[i];
        }
        for (size_t i = 0; i < WEIGHTS; i++) {
            double x = (double)p->x[r * FEATURES + i / OUTPUTS],
                   q = exp_double(-plain_loss(logits, OUTPUTS, i % OUTPUTS));
            first[i] += x * (q - ((size_t)p->classes[r] == i % OUTPUTS)) / ROWS;
            third[i] += x * x * x * q * (1 - q) * (1 - 2 * q) / ROWS;
        }
    }
}

typedef struct {
    const char *name;
    ScalarFunction *loss;
    double unit;           /* the distance of two numbers just above 1 */
    size_t halvings;       /* h from 1/2 down to 2^-halvings */
    size_t right_end;      /* the slope +2 is fitted from 2^-1 to here */
    size_t left, left_end; /* and the slope -1 from here to here */
} Precision;

/* Root mean square errors, relative to the gradient's: measured, and what theory says of its two parts. */
typedef struct {
    double h, measured, truncation, rounding;
} ErrorAt;

static ErrorAt error_at(const Precision *precision, size_t halvings, uint64_t seed) {
    double h = 1 / power_double(2, halvings), errors = 0, truncations = 0, gradients = 0, rounding = 0;
    for (uint64_t number = 0; number < PROBLEMS; number++) {
        Problem p = problem_create(seed, number);
        double numeric[WEIGHTS], first[WEIGHTS], third[WEIGHTS];
        exact_derivatives(first, third, &p);
        /* Two losses, each off by a rounding spread evenly over one unit: unit / sqrt(12) each. */
        double loss = precision->loss(p.weights, WEIGHTS, &p), unit = precision->unit;
        for (double power = 2; power <= loss; power *= 2) unit *= 2;
        rounding += unit * unit / 6 / (2 * h) / (2 * h) * WEIGHTS;
        numeric_gradient(numeric, precision->loss, p.weights, WEIGHTS, h, &p);
        for (size_t i = 0; i < WEIGHTS; i++) {
            errors += (numeric[i] - first[i]) * (numeric[i] - first[i]);
            truncations += h * h * third[i] / 6 * h * h * third[i] / 6;
            gradients += first[i] * first[i];
        }
    }
    return (ErrorAt){h, sqrt(errors / gradients), sqrt(truncations / gradients), sqrt(rounding / gradients)};
}

static void measure_precision(Csv *csv, const Precision *precision, uint64_t seed) {
    double h[MAX_HALVINGS], error[MAX_HALVINGS], best = 1, best_h = 0;
    ErrorAt middle = {0};
    for (size_t k = 1; k <= precision->halvings; k++) {
        ErrorAt e = error_at(precision, k, seed);
        csv_row(csv, "%s,%.6g,%.6g,%.6g,%.6g", precision->name, e.h, e.measured, e.truncation, e.rounding);
        h[k - 1] = e.h, error[k - 1] = e.measured;
        if (k == precision->right_end) middle = e;
        if (e.measured < best) best = e.measured, best_h = e.h;
    }
    double right = fit_exponent(h, error, precision->right_end);
    double left = fit_exponent(h + precision->left - 1, error + precision->left - 1,
                               precision->left_end - precision->left + 1);
    printf("%s: smallest error %.1e at h = %.1e\n", precision->name, best, best_h);
    claim(right > 1.9 && right < 2.1, "%s, large steps: error ~ h^%.2f (theory 2, allowed 1.9 to 2.1)",
          precision->name, right);
    claim(fabs(middle.measured / middle.truncation - 1) < 0.02,
          "%s, h = %.1e: error %.3e, h^2 f'''/6 is %.3e (within 2 %%)", precision->name, middle.h,
          middle.measured, middle.truncation);
    claim(left > -1.1 && left < -0.9, "%s, small steps: error ~ h^%.2f (theory -1, allowed -1.1 to -0.9)",
          precision->name, left);
}

static void gradient_check(const Settings *settings) {
    const Precision precisions[] = {
        {.name = "float",
         .loss = loss_in_float,
         .unit = 0x1p-23,
         .halvings = 22,
         .right_end = 4,
         .left = 10,
         .left_end = 20},
        {.name = "double",
         .loss = loss_in_double,
         .unit = 0x1p-52,
         .halvings = MAX_HALVINGS,
         .right_end = 12,
         .left = 22,
         .left_end = 42},
    };
    Csv csv = csv_begin(settings->out, "00-gradient-check", "precision,h,error,truncation,rounding");
    for (size_t i = 0; i < 2; i++) measure_precision(&csv, &precisions[i], settings->seed);
    csv_commit(&csv);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"points", OPTION_SIZE, &n_points, "points of the two spirals", 2, 1e5},
        {"hidden", OPTION_SIZE, &hidden, "width of the hidden layer", 1, 4096},
        {"steps", OPTION_SIZE, &steps, "training steps", 0, 1e6},
        {"sgd-rate", OPTION_DOUBLE, &sgd_rate, "learning rate of SGD", 0, 1e3},
        {"adamw-rate", OPTION_DOUBLE, &adamw_rate, "learning rate of AdamW", 0, 1e3},
        {"wrong-backward", OPTION_FLAG, &wrong_backward, "use a ReLU whose backward pass is wrong", 0, 0},
        {0},
    };
    static const Experiment experiments[] = {
        {"gradient-check", "error of a numeric gradient against its step", gradient_check},
        {0},
    };
    return program_run(argc, argv,
                       &(Program){
                           .name = "00-tensors",
                           .summary = "a small network: tape, gradient check, SGD and AdamW",
                           .example = "--wrong-backward",
                           .options = options,
                           .experiments = experiments,
                           .demo = demo,
                       });
}

/* Chapter 01: the same sample under LayerNorm and BatchNorm while the batch around it changes. The
 * experiments measure how far BatchNorm's output moves, and what that does to training with small batches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/linear.h"
#include "00-tensors/optimizer.h"
#include "00-tensors/relu.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "00-tensors/spirals.h"
#include "01-layernorm-vs-batchnorm/batchnorm.h"
#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "01-layernorm-vs-batchnorm/welford.h"
#include "csv.h"
#include "error.h"
#include "fit.h"
#include "program.h"

enum { FEATURES = 8, LARGEST_BATCH = 256, BATCHES = 9 }; /* batches of 1, 2, 4 ... 256 */
enum { SCALE_STREAM = 1, SAMPLE_STREAM = 2, INIT_STREAM = 3, TEST_STREAM = 4 };

/* --- one sample in batches of 1 to 256 --- */

/* Where the samples come from: each feature normal with a mean and a deviation of its own. */
typedef struct {
    double mean[FEATURES], deviation[FEATURES];
} Source;

static Source source_create(uint64_t seed) {
    Source source;
    Random random = random_stream(seed, SCALE_STREAM);
    for (size_t c = 0; c < FEATURES; c++) {
        source.mean[c] = 3 * random_normal(&random);
        source.deviation[c] = 0.5 + 2 * random_double(&random);
    }
    return source;
}

static void draw_samples(float *x, size_t n, const Source *source, Random *random) {
    for (size_t i = 0; i < n * FEATURES; i++) {
        size_t c = i % FEATURES;
        x[i] = (float)(source->mean[c] + source->deviation[c] * random_normal(random));
    }
}

/* The first sample of x under both norms, when the batch is the first `batch` samples. */
static void normalize_first(float ln[FEATURES], float bn[FEATURES], const float *x, size_t batch) {
    float out[LARGEST_BATCH * FEATURES], mean[LARGEST_BATCH], rstd[LARGEST_BATCH];
    layernorm_forward(out, mean, rstd, x, NULL, NULL, batch, FEATURES, 1e-5f);
    memcpy(ln, out, FEATURES * sizeof *ln);
    batchnorm_forward(out, mean, rstd, x, NULL, NULL, batch, FEATURES, 1, 1e-5f);
    memcpy(bn, out, FEATURES * sizeof *bn);
}

/* The distance of BatchNorm's output from what an endless batch would give, squared and summed over features.
 */
static double distance_squared(const float *bn, const float *x, const Source *source) {
    double sum = 0;
    for (size_t c = 0; c < FEATURES; c++) {
        double variance = source->deviation[c] * source->deviation[c];
        double limit = ((double)x[c] - source->mean[c]) / sqrt(variance + 1e-5);
        sum += ((double)bn[c] - limit) * ((double)bn[c] - limit);
    }
    return sum;
}

static void show_batches(const Settings *settings) {
    static float x[LARGEST_BATCH * FEATURES];
    Source source = source_create(settings->seed);
    Random random = random_stream(settings->seed, SAMPLE_STREAM);
    draw_samples(x, LARGEST_BATCH, &source, &random);
    printf("one sample of %d features, three of them, under both norms\n", FEATURES);
    printf("batch        LayerNorm                  BatchNorm\n");
    for (size_t batch = 1; batch <= LARGEST_BATCH; batch *= 2) {
        float ln[FEATURES], bn[FEATURES];
        normalize_first(ln, bn, x, batch);
        printf("%5zu  %7.3f %7.3f %7.3f    %7.3f %7.3f %7.3f\n", batch, (double)ln[0], (double)ln[1],
               (double)ln[2], (double)bn[0], (double)bn[1], (double)bn[2]);
    }
}

/* --- the variance of numbers far from zero --- */

//> one_pass
/* mean(x^2) - mean(x)^2: right on paper. */
static float one_pass_variance(const float *x, size_t n) {
    float sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += x[i], squares += x[i] * x[i];
    float mean = sum / (float)n;
    return squares / (float)n - mean * mean;
}
//< one_pass

static double variance_in_double(const float *x, size_t n) {
    double mean = 0, variance = 0;
    for (size_t i = 0; i < n; i++) mean += (double)x[i] / (double)n;
    for (size_t i = 0; i < n; i++) variance += ((double)x[i] - mean) * ((double)x[i] - mean) / (double)n;
    return variance;
}

static void show_variances(const Settings *settings) {
    enum { N = 1000 };
    printf("\nvariance of %d numbers, offset + N(0, 1), in single precision\n", N);
    printf("offset   one pass      Welford       in double\n");
    for (double offset = 0; offset <= 100000; offset = offset > 0 ? 10 * offset : 100) {
        float x[N];
        WelfordStats welford = {0};
        Random random = random_stream(settings->seed, SAMPLE_STREAM);
        for (size_t i = 0; i < N; i++) {
            x[i] = (float)(offset + random_normal(&random));
            welford_update(&welford, x[i]);
        }
        printf("%6g %10.5f   %10.5f   %10.5f\n", offset, (double)one_pass_variance(x, N),
               (double)welford_variance(&welford, false), variance_in_double(x, N));
    }
}

static void demo(const Settings *settings) {
    show_batches(settings);
    show_variances(settings);
}

/* --- experiment: how far the output moves --- */

enum { DRAWS = 400, SEEDS = 5 };

typedef struct {
    double batch[BATCHES], bn[BATCHES], ln[BATCHES]; /* root mean square distances over draws and features */
} Distances;

static Distances measure_distances(uint64_t seed) {
    Distances d = {0};
    Source source = source_create(seed);
    Random random = random_stream(seed, SAMPLE_STREAM);
    for (int draw = 0; draw < DRAWS; draw++) {
        float x[LARGEST_BATCH * FEATURES], alone[FEATURES];
        draw_samples(x, LARGEST_BATCH, &source, &random);
        for (size_t b = 0; b < BATCHES; b++) {
            float ln[FEATURES], bn[FEATURES];
            normalize_first(ln, bn, x, (size_t)1 << b);
            if (b == 0) memcpy(alone, ln, sizeof ln);
            for (size_t c = 0; c < FEATURES; c++)
                d.ln[b] += ((double)ln[c] - alone[c]) * ((double)ln[c] - alone[c]);
            d.bn[b] += distance_squared(bn, x, &source);
        }
    }
    for (size_t b = 0; b < BATCHES; b++) {
        d.batch[b] = (double)((size_t)1 << b);
        d.ln[b] = sqrt(d.ln[b] / DRAWS / FEATURES);
        d.bn[b] = sqrt(d.bn[b] / DRAWS / FEATURES);
    }
    return d;
}

static void batch_size(const Settings *settings) {
    enum { FIRST_FITTED = 3 }; /* from a batch of 8 on: before, the sample itself is much of its batch */
    Csv csv = csv_begin(settings->out, "01-batch-size", "seed,batch,layernorm,batchnorm,theory");
    double largest_ln = 0, slopes[SEEDS];
    for (uint64_t s = 0; s < SEEDS; s++) {
        Distances d = measure_distances(settings->seed + s);
        for (size_t b = 0; b < BATCHES; b++) {
            /* The mean of B samples is off by 1/sqrt(B) deviations, their deviation by 1/sqrt(2B) of itself.
             */
            double theory = sqrt(1.5 / d.batch[b]);
            csv_row(&csv, "%zu,%g,%.6g,%.6g,%.6g", (size_t)(settings->seed + s), d.batch[b], d.ln[b], d.bn[b],
                    theory);
            largest_ln = fmax(largest_ln, d.ln[b]);
        }
        slopes[s] = fit_exponent(d.batch + FIRST_FITTED, d.bn + FIRST_FITTED, BATCHES - FIRST_FITTED);
    }
    csv_commit(&csv);
    claim(largest_ln == 0,
          "LayerNorm: the output is the same to the last bit at every batch size (distance %g)", largest_ln);
    for (size_t s = 0; s < SEEDS; s++) {
        claim(slopes[s] > -0.6 && slopes[s] < -0.4,
              "BatchNorm, seed %zu: distance from an endless batch ~ B^%.3f (theory -0.5, allowed -0.6 to "
              "-0.4)",
              (size_t)settings->seed + s, slopes[s]);
    }
}

/* --- experiment: training with small batches --- */

typedef enum { NORM_NONE, NORM_BATCH, NORM_LAYER, NORMS } NormKind;
static const char *const norm_names[NORMS] = {"none", "batch", "layer"};

enum { WIDTH = 32, DEPTH = 2, CLASSES = 2, TRAIN_POINTS = 512, TEST_POINTS = 512, WINDOWS = 32 };

/* linear - norm - relu, DEPTH times, then linear. */
typedef struct {
    NormKind kind;
    Linear fc[DEPTH], head;
    BatchNorm bn[DEPTH];
    LayerNorm ln[DEPTH];
    Layer norm[DEPTH];
} Net;

static void net_create(Net *net, Params *params, NormKind kind, uint64_t seed) {
    Random init = random_stream(seed, INIT_STREAM);
    *net = (Net){.kind = kind};
    for (size_t i = 0, n_in = 2; i < DEPTH; i++, n_in = WIDTH) {
        char name[20];
        snprintf(name, sizeof name, "fc.%zu", i);
        net->fc[i] = linear_create(params, &init, n_in, WIDTH, true, sqrtf(2.0f / (float)n_in), name);
        snprintf(name, sizeof name, "norm.%zu", i);
        if (kind == NORM_BATCH) {
            net->bn[i] = batchnorm_create(params, WIDTH, name);
            net->norm[i] = batchnorm_layer(&net->bn[i]);
        } else if (kind == NORM_LAYER) {
            net->ln[i] = layernorm_create(params, 1, (size_t[]){WIDTH}, 1e-5f, name);
            net->norm[i] = layernorm_layer(&net->ln[i]);
        }
    }
    net->head = linear_create(params, &init, WIDTH, CLASSES, true, 1.0f / sqrtf(WIDTH), "head");
}

static void net_free(Net *net) {
    for (size_t i = 0; i < DEPTH; i++) batchnorm_free(&net->bn[i]);
}

static Tensor *net_forward(Tape *t, const Net *net, Tensor *x) {
    for (size_t i = 0; i < DEPTH; i++) {
        x = linear(t, &net->fc[i], x);
        x = layer_forward(t, net->norm[i], x);
        x = relu(t, x);
    }
    return linear(t, &net->head, x);
}

typedef struct {
    float x[2 * TRAIN_POINTS], test_x[2 * TEST_POINTS];
    int classes[TRAIN_POINTS], test_classes[TEST_POINTS];
} Data;

static double test_accuracy(Tape *t, const Net *net, const Data *data) {
    t->training = false;
    const Tensor *logits = net_forward(t, net, tape_input(t, 2, (size_t[]){TEST_POINTS, 2}, data->test_x));
    size_t right = 0;
    for (size_t r = 0; r < TEST_POINTS; r++) {
        right += (logits->data[2 * r + 1] > logits->data[2 * r]) == (data->test_classes[r] == 1);
    }
    tape_reset(t);
    return (double)right / TEST_POINTS;
}

typedef struct {
    double loss, first_grad_norm, largest_first_grad,
        accuracy; /* of the last window; of all steps; of the test */
} Outcome;

/* Trains on `samples` samples in batches; one row a window: mean loss, mean gradient norm of the first
 * weight. */
static Outcome train(Csv *csv, const Data *data, NormKind kind, size_t batch, size_t samples, uint64_t seed) {
    Params params = {.mode = PARAMS_TRAIN};
    Net net;
    net_create(&net, &params, kind, seed);
    AdamW adamw = adamw_create(&params, 2e-3f, 0.0f);
    Tape tape = tape_create(seed);
    Random order = random_stream(seed, SAMPLE_STREAM);
    Outcome outcome = {0};
    size_t steps_a_window = samples / WINDOWS / batch;
    for (size_t window = 0; window < WINDOWS; window++) {
        outcome.loss = outcome.first_grad_norm = 0;
        for (size_t step = 0; step < steps_a_window; step++) {
            float x[2 * 64];
            int classes[64];
            for (size_t b = 0; b < batch; b++) {
                size_t i = random_below(&order, TRAIN_POINTS);
                memcpy(x + 2 * b, data->x + 2 * i, 2 * sizeof *x);
                classes[b] = data->classes[i];
            }
            Tensor *logits = net_forward(&tape, &net, tape_input(&tape, 2, (size_t[]){batch, 2}, x));
            Tensor *loss = cross_entropy(&tape, logits, classes);
            params_zero_grad(&params);
            tape_backward(&tape, loss);
            double norm = tensor_grad_norm(net.fc[0].weight);
            outcome.loss += (double)loss->data[0] / (double)steps_a_window;
            outcome.first_grad_norm += norm / (double)steps_a_window;
            outcome.largest_first_grad = fmax(outcome.largest_first_grad, norm);
            adamw_step(&adamw, &params);
            tape_reset(&tape);
        }
        csv_row(csv, "%s,%zu,%zu,%.6g,%.6g", norm_names[kind], batch, (window + 1) * steps_a_window * batch,
                outcome.loss, outcome.first_grad_norm);
    }
    outcome.accuracy = test_accuracy(&tape, &net, data);
    tape_free(&tape);
    adamw_free(&adamw);
    net_free(&net);
    params_free(&params);
    return outcome;
}

static void small_batch(const Settings *settings) {
    static const size_t batches[] = {64, 16, 4, 2, 1};
    enum { N_BATCHES = sizeof batches / sizeof *batches };
    size_t samples = settings->quick ? 8192 : 65536;
    static Data data;
    Random random = random_stream(settings->seed, TEST_STREAM);
    spirals_fill(data.x, data.classes, TRAIN_POINTS, &random);
    spirals_fill(data.test_x, data.test_classes, TEST_POINTS, &random);
    Csv csv = csv_begin(settings->out, "01-small-batch", "norm,batch,samples,loss,grad_norm");
    Outcome outcomes[NORMS][N_BATCHES];
    printf("two spirals, %zu samples seen; test accuracy in evaluation mode\n", samples);
    printf("norm   batch    loss  gradient of the first weight  accuracy\n");
    for (NormKind kind = NORM_NONE; kind < NORMS; kind++) {
        for (size_t b = 0; b < N_BATCHES; b++) {
            Outcome o = outcomes[kind][b] = train(&csv, &data, kind, batches[b], samples, settings->seed);
            printf("%-6s %5zu  %6.3f  %28.4f  %8.3f\n", norm_names[kind], batches[b], o.loss,
                   o.first_grad_norm, o.accuracy);
        }
    }
    csv_commit(&csv);
    const Outcome *bn = outcomes[NORM_BATCH], *ln = outcomes[NORM_LAYER];
    claim(bn[4].largest_first_grad == 0,
          "BatchNorm at batch 1: the first weight's gradient is exactly 0 in all steps");
    claim(bn[4].loss > 0.65 && bn[4].loss < 0.75,
          "BatchNorm at batch 1: the loss stays at %.3f (ln 2 = 0.693)", bn[4].loss);
    claim(bn[3].loss > 0.6 && bn[2].loss > 0.5, "BatchNorm at batch 2 and 4: the loss stays at %.3f and %.3f",
          bn[3].loss, bn[2].loss);
    for (size_t b = 0; b < N_BATCHES; b++) {
        claim(ln[b].loss < 0.1, "LayerNorm at batch %zu: the loss falls to %.3f (below 0.1)", batches[b],
              ln[b].loss);
    }
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"batch-size", "the same sample in batches of 1 to 256", batch_size},
        {"small-batch", "no norm, BatchNorm and LayerNorm trained with batches of 64 to 1", small_batch},
        {0},
    };
    return program_run(
        argc, argv,
        &(Program){
            .name = "01-layernorm-vs-batchnorm",
            .summary = "one sample, many batches: what the batch does to BatchNorm and not to LayerNorm",
            .example = "--seed 7",
            .experiments = experiments,
            .demo = demo,
        });
}

/* Where the norm stands: gradients at initialization, the size of the stream, and training without warm-up.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "02-pre-ln-vs-post-ln/trial.h"
#include "csv.h"
#include "error.h"
#include "fit.h"
#include "program.h"
#include "progress.h"

enum { CLASSES = 8, MAX_DEPTH = 256 };

static size_t width = 32, depth = 12, steps = 200, warmup_steps = 100;
static double rate = 5e-3;

static const Placement placements[] = {POST_LN, PRE_LN};

static StackConfig stack_config(Placement placement, size_t layers) {
    return (StackConfig){
        .d_model = width, .d_hidden = 2 * width, .depth = layers, .placement = placement, .n_out = CLASSES};
}

/* --- at initialization --- */

/* The root mean square, over `rows` inputs, of the gradient norm of the last sublayer's second weight when
 * the loss is that of one input; and |x_l|^2 / d of the stream, l = 0 .. depth, if `stream` is not NULL.
 *
 * One input at a time: behind a deep stack all inputs look alike, so the gradient of a batch's mean loss also
 * depends on how far they do. */
static double measure(Placement placement, size_t layers, size_t rows, uint64_t seed, double *stream) {
    Random init = random_stream(seed, 1), data = random_stream(seed, 2);
    Params params = {.mode = PARAMS_TRAIN};
    Stack s = stack_create(&params, &init, stack_config(placement, layers));
    Tape t = tape_create(seed);
    float *x = checked_alloc(width, sizeof *x);
    double sum = 0;
    for (size_t l = 0; stream && l <= layers; l++) stream[l] = 0;
    for (size_t r = 0; r < rows; r++) {
        Tensor *x_l[MAX_DEPTH + 1];
        int target = (int)random_below(&data, CLASSES);
        random_fill_normal(&data, x, width, 1);
        tape_reset(&t);
        params_zero_grad(&params);
        Tensor *logits = stack_with_stream(&t, &s, tape_input(&t, 2, (size_t[]){1, width}, x), x_l);
        tape_backward(&t, cross_entropy(&t, logits, &target));
        double norm = tensor_grad_norm(s.mlps[layers - 1].down.weight);
        sum += norm * norm / (double)rows;
        for (size_t l = 0; stream && l <= layers; l++) {
            for (size_t i = 0; i < width; i++) {
                stream[l] += (double)(x_l[l]->data[i] * x_l[l]->data[i]) / (double)(width * rows);
            }
        }
    }
    free(x);
    tape_free(&t);
    stack_free(&s);
    params_free(&params);
    return sqrt(sum);
}

static const size_t depths[] = {6, 12, 24, 48};
enum { DEPTHS = 4, ROWS = 32, MAX_SEEDS = 8 };

/* The gradient norm at depths[i]: geometric mean, smallest and largest of the seeds. */
typedef struct {
    double mean[DEPTHS], low[DEPTHS], high[DEPTHS];
} ByDepth;

static ByDepth measure_depths(Placement placement, const Settings *settings, size_t seeds) {
    ByDepth by = {0};
    for (size_t i = 0; i < DEPTHS; i++) {
        double norms[MAX_SEEDS];
        for (size_t k = 0; k < seeds; k++) {
            norms[k] = measure(placement, depths[i], ROWS, settings->seed + k, NULL);
            by.low[i] = k == 0 || norms[k] < by.low[i] ? norms[k] : by.low[i];
            by.high[i] = k == 0 || norms[k] > by.high[i] ? norms[k] : by.high[i];
        }
        by.mean[i] = geometric_mean(norms, seeds);
    }
    return by;
}

static double depth_exponent(const ByDepth *by) {
    double x[DEPTHS];
    for (size_t i = 0; i < DEPTHS; i++) x[i] = (double)depths[i];
    return fit_exponent(x, by->mean, DEPTHS);
}

static void init_gradient(const Settings *settings) {
    size_t seeds = settings->quick ? 3 : 6;
    ByDepth post = measure_depths(POST_LN, settings, seeds), pre = measure_depths(PRE_LN, settings, seeds);
    /* Theory: post-LN constant; pre-LN as 1/sqrt(1 + L), the size of the stream that the final norm divides
     * by. One free factor each. */
    double pre_factor[DEPTHS];
    for (size_t i = 0; i < DEPTHS; i++) pre_factor[i] = pre.mean[i] * sqrt(1.0 + (double)depths[i]);
    double post_level = geometric_mean(post.mean, DEPTHS), pre_level = geometric_mean(pre_factor, DEPTHS);

    Csv csv = csv_begin(settings->out, "02-init-gradient",
                        "depth,post,post_low,post_high,pre,pre_low,pre_high,post_theory,pre_theory");
    for (size_t i = 0; i < DEPTHS; i++) {
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", depths[i], post.mean[i], post.low[i],
                post.high[i], pre.mean[i], pre.low[i], pre.high[i], post_level,
                pre_level / sqrt(1.0 + (double)depths[i]));
    }
    csv_commit(&csv);
    double post_slope = depth_exponent(&post), pre_slope = depth_exponent(&pre);
    claim(fabs(post_slope) < 0.15,
          "post-LN: slope %.3f of log gradient norm against log depth, within +-0.15", post_slope);
    claim(pre_slope > -0.7 && pre_slope < -0.4, "pre-LN: slope %.3f, between -0.7 and -0.4", pre_slope);
}

/* |x_l|^2 / d at initialization, layer by layer, the mean over the seeds. */
static void measure_stream(double *mean, Placement placement, size_t layers, const Settings *settings,
                           size_t seeds) {
    for (size_t l = 0; l <= layers; l++) mean[l] = 0;
    for (size_t k = 0; k < seeds; k++) {
        double stream[MAX_DEPTH + 1];
        measure(placement, layers, ROWS, settings->seed + k, stream);
        for (size_t l = 0; l <= layers; l++) mean[l] += stream[l] / (double)seeds;
    }
}

static void stream_size(const Settings *settings) {
    enum { LAYERS = 24 };
    double mean[2][LAYERS + 1], layers[LAYERS + 1];
    for (size_t p = 0; p < 2; p++) {
        measure_stream(mean[p], placements[p], LAYERS, settings, settings->quick ? 3 : 6);
    }
    Csv csv = csv_begin(settings->out, "02-stream-size", "layer,post,pre,pre_theory");
    for (size_t l = 0; l <= LAYERS; l++) {
        layers[l] = (double)l;
        csv_row(&csv, "%zu,%.6g,%.6g,%zu", l, mean[0][l], mean[1][l], l + 1);
    }
    csv_commit(&csv);
    double slope = fit_slope(layers, mean[1], LAYERS + 1);
    claim(slope > 0.8 && slope < 1.2, "pre-LN: |x_l|^2/d grows by %.3f a layer, between 0.8 and 1.2", slope);
    double off = 0;
    for (size_t l = 1; l <= LAYERS; l++) off = fmax(off, fabs(mean[0][l] - 1));
    claim(off < 1e-3, "post-LN: |x_l|^2/d is 1 behind every layer, within %.1e", off);
}

/* --- in training --- */

typedef struct {
    const char *name;
    Placement placement;
    bool warmup;
} Run;

static const Run runs[] = {
    {"post-LN", POST_LN, false},
    {"post-LN + warm-up", POST_LN, true},
    {"pre-LN", PRE_LN, false},
    {"pre-LN + warm-up", PRE_LN, true},
};
enum { RUNS = 4 };

static TrialConfig trial_config(const Run *run, uint64_t seed) {
    return (TrialConfig){.stack = stack_config(run->placement, depth),
                         .steps = steps,
                         .batch = 32,
                         .peak = (float)rate,
                         .warmup_steps = run->warmup ? warmup_steps : 0,
                         .seed = seed};
}

/* The steps after the first ones, when a run has begun to learn or failed to. */
enum { EARLY_START = 11, EARLY_END = 30, EARLY = EARLY_END - EARLY_START + 1 };

/* The first layer's gradient over the last layer's, at each of the early steps. */
typedef struct {
    double values[EARLY];
} Ratios;

static double layer_gradient(const Stack *s, size_t l) {
    return tensor_grad_norm(s->mlps[l].down.weight);
}

static void ratios_keep(Ratios *ratios, const Stack *s, size_t step) {
    if (step < EARLY_START || step > EARLY_END) return;
    ratios->values[step - EARLY_START] = layer_gradient(s, 0) / layer_gradient(s, s->config.depth - 1);
}

static double ratios_mean(const Ratios *ratios) {
    return geometric_mean(ratios->values, EARLY);
}

/* What one run leaves behind: a line a step in the CSV, and the gradients of the early steps. */
typedef struct {
    const char *name;
    Csv *csv; /* NULL: keep the numbers only */
    Ratios ratios;
    Progress *progress;
} Log;

static void log_step(void *context, const Stack *s, size_t step, float loss) {
    Log *log = context;
    ratios_keep(&log->ratios, s, step);
    progress_update(log->progress, step, "%s loss %.3f", log->name, (double)loss);
    if (!log->csv) return;
    char line[900];
    int used = snprintf(line, sizeof line, "%s,%zu,%.6g", log->name, step, (double)loss);
    for (size_t l = 0; l < s->config.depth; l++) {
        used += snprintf(line + used, sizeof line - (size_t)used, ",%.4g", layer_gradient(s, l));
    }
    csv_row(log->csv, "%s", line);
}

static void layer_gradients(const Settings *settings) {
    enum { LAYERS = 12, SEEDS = 3 };
    depth = LAYERS;
    Csv csv =
        csv_begin(settings->out, "02-layer-gradients", "run,step,loss,l0,l1,l2,l3,l4,l5,l6,l7,l8,l9,l10,l11");
    double ratio[RUNS], loss[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        double ratios[SEEDS];
        loss[i] = 0;
        for (size_t k = 0; k < SEEDS; k++) {
            Progress progress = progress_begin("layer-gradients", steps);
            Log log = {.name = runs[i].name, .csv = k ? NULL : &csv, .progress = &progress};
            TrialConfig config = trial_config(&runs[i], settings->seed + k);
            loss[i] += trial_run(&config, log_step, &log) / SEEDS;
            ratios[k] = ratios_mean(&log.ratios);
            progress_end(&progress);
        }
        ratio[i] = geometric_mean(ratios, SEEDS);
    }
    csv_commit(&csv);
    for (size_t i = 0; i < RUNS; i++) {
        printf("  %-18s final loss %.3f, first/last %.2g\n", runs[i].name, loss[i], ratio[i]);
    }
    printf("  first/last: gradient of the first layer over that of the last, steps %d to %d\n", EARLY_START,
           EARLY_END);
    claim(ratio[0] < 0.05, "post-LN without warm-up: first/last is %.2g, below 0.05", ratio[0]);
    claim(ratio[1] > 0.1, "post-LN with warm-up: %.2g, above 0.1", ratio[1]);
    claim(ratio[2] > 1, "pre-LN without warm-up: %.2g, above 1", ratio[2]);
    claim(loss[0] - loss[1] > 0.1, "warm-up lowers post-LN's final loss by %.3f, more than 0.1",
          loss[0] - loss[1]);
    claim(loss[2] < loss[1], "pre-LN without warm-up ends at %.3f, below post-LN with it at %.3f", loss[2],
          loss[1]);
}

/* --- the demo --- */

static void print_gradients(const Settings *settings) {
    printf("Gradient norm of the last sublayer's second weight, at initialization:\n\n%-8s", "depth");
    for (size_t i = 0; i < DEPTHS; i++) printf(" %8zu", depths[i]);
    printf(" %8s\n", "slope");
    for (size_t p = 0; p < 2; p++) {
        ByDepth by = measure_depths(placements[p], settings, 2);
        printf("%-8s", placement_name(placements[p]));
        for (size_t i = 0; i < DEPTHS; i++) printf(" %8.3f", by.mean[i]);
        printf(" %8.2f\n", depth_exponent(&by));
    }
}

static void print_stream(const Settings *settings) {
    static const size_t shown[] = {0, 1, 2, 4, 8, 16, 24};
    enum { SHOWN = sizeof shown / sizeof *shown, LAYERS = 24 };
    printf("\nMean square of the stream behind layer l, at initialization:\n\n%-8s", "layer");
    for (size_t i = 0; i < SHOWN; i++) printf(" %8zu", shown[i]);
    putchar('\n');
    for (size_t p = 0; p < 2; p++) {
        double stream[LAYERS + 1];
        measure_stream(stream, placements[p], LAYERS, settings, 4);
        printf("%-8s", placement_name(placements[p]));
        for (size_t i = 0; i < SHOWN; i++) printf(" %8.2f", stream[shown[i]]);
        putchar('\n');
    }
}

/* How much the stream behind the last layer still depends on the input: the variance between 64 inputs,
 * summed over the channels, as a share of the sum of squares. 0: every input gives the same. */
static double spread(const Stack *s) {
    enum { INPUTS = 64 };
    Random r = random_create(1);
    Tape t = tape_create(1);
    t.recording = false;
    Tensor *x = tape_output(&t, 2, (size_t[]){INPUTS, width}, false), *stream[MAX_DEPTH + 1];
    random_fill_normal(&r, x->data, INPUTS * width, 1);
    stack_with_stream(&t, s, x, stream);
    const float *out = stream[s->config.depth]->data;
    double between = 0, all = 0;
    for (size_t c = 0; c < width; c++) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < INPUTS; i++) {
            double value = (double)out[i * width + c];
            mean += value / INPUTS;
            square += value * value / INPUTS;
        }
        between += square - mean * mean;
        all += square;
    }
    tape_free(&t);
    return between / all;
}

typedef struct {
    float loss[5];
    size_t total;
    double spread;
    Ratios ratios;
} Curve;

enum { SPREAD_STEP = 10 };

/* Keeps the loss at the first step and at each quarter, the spread at SPREAD_STEP, and the ratios. */
static void keep_curve(void *context, const Stack *s, size_t step, float loss) {
    Curve *curve = context;
    for (size_t quarter = 0; quarter <= 4; quarter++) {
        size_t at = quarter ? curve->total * quarter / 4 : 1;
        if (step == at) curve->loss[quarter] = loss;
    }
    if (step == SPREAD_STEP) curve->spread = spread(s);
    ratios_keep(&curve->ratios, s, step);
}

static void print_training(const Settings *settings) {
    printf(
        "\nTraining %zu layers with AdamW at learning rate %g. spread: how much the output depends on the\n"
        "input at step %d; the loss at step ...; mean: the loss of the last %d steps; first/last: the "
        "gradient\n"
        "norm of the first layer, in that of the last, at steps %d to %d.\n\n%-18s %6s",
        depth, rate, SPREAD_STEP, TRIAL_TAIL, EARLY_START, EARLY_END, "", "spread");
    for (size_t quarter = 0; quarter <= 4; quarter++) printf(" %6zu", quarter ? steps * quarter / 4 : 1);
    printf(" %6s %10s\n", "mean", "first/last");
    for (size_t i = 0; i < RUNS; i++) {
        Curve curve = {.total = steps};
        TrialConfig config = trial_config(&runs[i], settings->seed);
        double mean = trial_run(&config, keep_curve, &curve);
        printf("%-18s %6.3f", runs[i].name, curve.spread);
        for (size_t quarter = 0; quarter <= 4; quarter++) printf(" %6.3f", (double)curve.loss[quarter]);
        printf(" %6.3f %10.2g\n", mean, ratios_mean(&curve.ratios));
    }
    printf("%-18s %49.3f\n", "guessing", trial_guess_loss(width, CLASSES));
}

static void demo(const Settings *settings) {
    print_gradients(settings);
    print_stream(settings);
    print_training(settings);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"width", OPTION_SIZE, &width, "d_model; sublayers have twice as many hidden units", 1, 4096},
        {"depth", OPTION_SIZE, &depth, "residual sublayers of the training runs", 1, MAX_DEPTH},
        {"steps", OPTION_SIZE, &steps, "training steps", EARLY_END, 1e6},
        {"warmup", OPTION_SIZE, &warmup_steps, "steps of warm-up, in the runs that have it", 0, 1e6},
        {"rate", OPTION_DOUBLE, &rate, "peak learning rate", 0, 10},
        {0},
    };
    static const Experiment experiments[] = {
        {"init-gradient", "the last layer's gradient at initialization against depth", init_gradient},
        {"stream-size", "the mean square of the stream by layer", stream_size},
        {"layer-gradients", "gradient norm of every layer at every training step", layer_gradients},
        {0},
    };
    return program_run(argc, argv,
                       &(Program){.name = "02-pre-ln-vs-post-ln",
                                  .summary = "the norm before or behind the sublayer, and warm-up",
                                  .example = "--depth 18 --rate 3e-3",
                                  .options = options,
                                  .experiments = experiments,
                                  .demo = demo});
}

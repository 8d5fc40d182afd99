/* The size of the weights at the start: its effect on the gradient, and on the loss
 * after training. */
#include <math.h>
#include <stdio.h>

#include "00-tensors/optimizer.h"
#include "01-layernorm-vs-batchnorm/experiments/experiments.h"
#include "01-layernorm-vs-batchnorm/experiments/norm_net.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/progress.h"

enum { DEPTH = 3, SEEDS = 3, SCALES = 8, BATCH = 64 }; /* scales of 4^-7 = 6e-5 to 1 */
static const float usual_eps = 1e-5f;

/* The third one gives the hidden layers a rate of scale^2 times the usual, and the
 * norms an epsilon of 0. */
typedef enum { ADAMW, SGD, SGD_SCALED, OPTIMIZERS } Optimizer;
static const char *const optimizer_names[OPTIMIZERS] = {"AdamW", "SGD", "SGD-s^2"};
static const float learning_rates[OPTIMIZERS] = {2e-3f, 0.1f, 0.1f};

static double scale_of(size_t i) {
    return ldexp(1, 2 * ((int)i - SCALES + 1));
}

/* The gradient norm of the first weight, in a net that is not trained, on one batch. */
static double first_gradient(const SpiralPoints *points, NetNorm norm, double scale,
                             float eps, uint64_t seed) {
    Net net;
    net_create(
        &net,
        (NetConfig){.norm = norm, .depth = DEPTH, .scale = (float)scale, .eps = eps},
        seed);
    Tape tape = tape_create(seed);
    Random order = random_stream(seed, STREAM_SAMPLE);
    net_gradient(&net, &tape, points, BATCH, &order);
    double grad_norm = tensor_grad_norm(net.fc[0].weight);
    tape_free(&tape);
    net_free(&net);
    return grad_norm;
}

/* A rate of its own for the hidden layers: their gradients times `factor` before an SGD
 * step. */
static void scale_hidden_gradients(Net *net, float factor) {
    for (size_t l = 0; l < DEPTH; l++) {
        Tensor *parts[] = {net->fc[l].weight, net->fc[l].bias};
        for (size_t p = 0; p < 2; p++)
            for (size_t i = 0; i < tensor_size(parts[p]); i++)
                parts[p]->grad[i] *= factor;
    }
}

/* The mean loss of the last tenth of `steps` steps. */
static double train(const SpiralPoints *points, NetNorm norm, double scale,
                    Optimizer optimizer, size_t steps, uint64_t seed) {
    Net net;
    float eps = optimizer == SGD_SCALED ? 0 : usual_eps;
    net_create(
        &net,
        (NetConfig){.norm = norm, .depth = DEPTH, .scale = (float)scale, .eps = eps},
        seed);
    AdamW adamw = adamw_create(&net.params, learning_rates[ADAMW], 0.0f);
    Tape tape = tape_create(seed);
    Random order = random_stream(seed, STREAM_SAMPLE);
    size_t last = steps / 10;
    double sum = 0;
    for (size_t step = 0; step < steps; step++) {
        double loss = net_gradient(&net, &tape, points, BATCH, &order);
        if (step >= steps - last) sum += loss;
        if (optimizer == SGD_SCALED)
            scale_hidden_gradients(&net, (float)(scale * scale));
        if (optimizer == ADAMW)
            adamw_step(&adamw, &net.params);
        else
            sgd_step(&net.params, learning_rates[optimizer]);
    }
    adamw_free(&adamw);
    tape_free(&tape);
    net_free(&net);
    return sum / (double)last;
}

/* --- the gradient at the start --- */

enum { PLAIN, BATCH_EPS, BATCH_EXACT, LAYER_EXACT, COLUMNS };

static void measure_gradients(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "init-gradient",
                        "seed,scale,none,batch,batch_eps_0,layer_eps_0,theory");
    double scales[SCALES], none[SCALES], worst_slope = 0;
    bool batch_same = true, layer_same = true;
    for (uint64_t s = settings->seed; s < settings->seed + SEEDS; s++) {
        SpiralPoints points = spiral_points_draw(s);
        double g[SCALES][COLUMNS];
        /* from scale 1 down: the dashed line starts there */
        for (size_t i = SCALES; i-- > 0;) {
            double a = scales[i] = scale_of(i);
            g[i][PLAIN] = none[i] = first_gradient(&points, NET_PLAIN, a, usual_eps, s);
            g[i][BATCH_EPS] = first_gradient(&points, NET_BATCHNORM, a, usual_eps, s);
            g[i][BATCH_EXACT] = first_gradient(&points, NET_BATCHNORM, a, 0, s);
            g[i][LAYER_EXACT] = first_gradient(&points, NET_LAYERNORM, a, 0, s);
            double at_one = g[SCALES - 1][BATCH_EXACT];
            csv_row(&csv, "%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", (size_t)s, a,
                    g[i][PLAIN], g[i][BATCH_EPS], g[i][BATCH_EXACT], g[i][LAYER_EXACT],
                    at_one / a);
            batch_same &= g[i][BATCH_EXACT] * a == at_one;
            layer_same &= g[i][LAYER_EXACT] * a == g[SCALES - 1][LAYER_EXACT];
        }
        double slope = fit_exponent(scales, none, SCALES - 2) - (DEPTH - 1);
        worst_slope = larger(worst_slope, fabs(slope));
    }
    csv_commit(&csv);
    claim(batch_same,
          "BatchNorm, eps 0: scale times gradient norm is the same to the last bit at "
          "all %d scales",
          SCALES);
    claim(layer_same, "LayerNorm, eps 0: so it is here");
    claim(worst_slope < 0.05,
          "no norm: gradient norm ~ scale^2 up to a scale of 1/16, within %.3f "
          "(allowed 0.05)",
          worst_slope);
}

/* --- the loss after training --- */

/* The largest and the smallest loss of the seeds and of the scales from number `from`
 * to number `to`. */
static double largest(double losses[SEEDS][SCALES], size_t from, size_t to) {
    double result = 0;
    for (size_t s = 0; s < SEEDS; s++) {
        for (size_t i = from; i <= to; i++) result = larger(result, losses[s][i]);
    }
    return result;
}

static double smallest(double losses[SEEDS][SCALES], size_t from, size_t to) {
    double result = INFINITY;
    for (size_t s = 0; s < SEEDS; s++) {
        for (size_t i = from; i <= to; i++) result = smaller(result, losses[s][i]);
    }
    return result;
}

static void print_losses(double losses[OPTIMIZERS][NET_NORMS][SEEDS][SCALES]) {
    printf("loss after training, the mean of %d seeds\nscale      ", SEEDS);
    for (size_t i = 0; i < SCALES; i++) printf(" %7.1g", scale_of(i));
    for (Optimizer o = ADAMW; o < OPTIMIZERS; o++) {
        for (NetNorm norm = NET_PLAIN; norm < NET_NORMS; norm++) {
            printf("\n%-7s %-5s", optimizer_names[o], net_norm_names[norm]);
            for (size_t i = 0; i < SCALES; i++) {
                double mean = 0;
                for (size_t s = 0; s < SEEDS; s++)
                    mean += losses[o][norm][s][i] / SEEDS;
                printf(" %6.3f", mean);
            }
        }
    }
    printf("\n");
}

static bool all_the_same(const double *x, size_t n) {
    size_t i = 1;
    while (i < n && x[i] == x[0]) i++;
    return i == n;
}

/* A weight of scale s at the rate s^2 * eta moves as one of scale 1 at the rate eta, s
 * times as far. */
static void claim_same_at_all_scales(double losses[NET_NORMS][SEEDS][SCALES]) {
    bool same = true;
    double most = 0;
    for (NetNorm norm = NET_BATCHNORM; norm <= NET_LAYERNORM; norm++) {
        most = larger(most, largest(losses[norm], 0, SCALES - 1));
        for (size_t s = 0; s < SEEDS; s++)
            same = same && all_the_same(losses[norm][s], SCALES);
    }
    claim(same,
          "SGD with scale^2 times the rate, eps 0: each seed's loss is the same to the "
          "last bit at all %d "
          "scales",
          SCALES);
    claim(most < 0.4,
          "and it is %.3f at most, with BatchNorm and with LayerNorm (below 0.4)",
          most);
}

void experiment_init_scale(const Settings *settings) {
    measure_gradients(settings);
    size_t steps = settings->quick ? 200 : 1000;
    static double losses[OPTIMIZERS][NET_NORMS][SEEDS][SCALES];
    Csv csv = csv_begin(settings->out, "init-scale", "optimizer,norm,seed,scale,loss");
    Progress progress =
        progress_begin("init-scale", (size_t)OPTIMIZERS * NET_NORMS * SEEDS * SCALES);
    for (size_t run = 0; run < progress.total; run++) {
        size_t i = run % SCALES, s = run / SCALES % SEEDS;
        NetNorm norm = (NetNorm)(run / SCALES / SEEDS % NET_NORMS);
        Optimizer o = (Optimizer)(run / SCALES / SEEDS / NET_NORMS);
        SpiralPoints points = spiral_points_draw(settings->seed + s);
        losses[o][norm][s][i] =
            train(&points, norm, scale_of(i), o, steps, settings->seed + s);
        csv_row(&csv, "%s,%s,%zu,%.6g,%.6g", optimizer_names[o], net_norm_names[norm],
                (size_t)settings->seed + s, scale_of(i), losses[o][norm][s][i]);
        progress_update(&progress, run + 1, "%s, norm %s", optimizer_names[o],
                        net_norm_names[norm]);
    }
    progress_end(&progress);
    csv_commit(&csv);
    print_losses(losses);
    for (Optimizer o = ADAMW; o <= SGD; o++) {
        double most = largest(losses[o][NET_BATCHNORM], 0, SCALES - 1);
        claim(most < 0.25,
              "BatchNorm, %s: loss from %.3f to %.3f over all scales and seeds (below "
              "0.25)",
              optimizer_names[o], smallest(losses[o][NET_BATCHNORM], 0, SCALES - 1),
              most);
        double least = smallest(losses[o][NET_PLAIN], 0, 2);
        claim(least > 0.5,
              "no norm, %s: at scales up to 0.001 the loss stays above %.3f (guessing: "
              "0.693)",
              optimizer_names[o], least);
    }
    double most = largest(losses[ADAMW][NET_LAYERNORM], 0, SCALES - 1);
    claim(most < 0.25,
          "LayerNorm, AdamW: loss at most %.3f over all scales and seeds (below 0.25)",
          most);
    claim_same_at_all_scales(losses[SGD_SCALED]);
}

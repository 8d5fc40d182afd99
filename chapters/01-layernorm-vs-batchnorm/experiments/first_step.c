/* Small initial weights make the first step of SGD a wild one, which leaves short
 * weights and long biases. Each is taken back, to see which of them LayerNorm's failure
 * to learn comes from. */
#include <math.h>
#include <stdio.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/relu.h"
#include "01-layernorm-vs-batchnorm/experiments/experiments.h"
#include "01-layernorm-vs-batchnorm/experiments/norm_net.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"

enum { DEPTH = 3, SEEDS = 3, BATCH = 64, STREAM_FRESH = 77 };
static const float learning_rate = 0.1f, scale = 0x1p-10f, factor = 4, fresh_std = 0.2f;

/* The change that is made to the hidden layers once, after the first step. */
typedef enum {
    NOTHING,
    ALL_TIMES_4, /* weights and biases: the outputs stay the same */
    BIASES_0,
    WEIGHTS_TIMES_4_BIASES_0,
    FRESH /* weights drawn anew, from N(0, 0.2^2), biases 0 */
} Change;

typedef struct {
    const char *id, *name; /* in the CSV, in the table */
    NetNorm norm;
    Change change;
} Case;

static const Case cases[] = {
    {"batch", "BatchNorm", NET_BATCHNORM, NOTHING},
    {"layer", "LayerNorm", NET_LAYERNORM, NOTHING},
    {"all-times-4", "weights and biases times 4", NET_LAYERNORM, ALL_TIMES_4},
    {"biases-0", "biases 0", NET_LAYERNORM, BIASES_0},
    {"times-4-biases-0", "weights times 4, biases 0", NET_LAYERNORM,
     WEIGHTS_TIMES_4_BIASES_0},
    {"fresh", "weights drawn anew, biases 0", NET_LAYERNORM, FRESH},
};
enum { CASES = sizeof cases / sizeof *cases };

static void multiply(Tensor *x, float by) {
    for (size_t i = 0; i < tensor_size(x); i++) x->data[i] *= by;
}

static void apply(Change change, Net *net, uint64_t seed) {
    Random random = random_stream(seed, STREAM_FRESH);
    for (size_t l = 0; l < DEPTH && change != NOTHING; l++) {
        Tensor *weight = net->fc[l].weight;
        if (change == ALL_TIMES_4 || change == WEIGHTS_TIMES_4_BIASES_0)
            multiply(weight, factor);
        if (change == FRESH) {
            for (size_t i = 0; i < tensor_size(weight); i++)
                weight->data[i] = fresh_std * (float)random_normal(&random);
        }
        multiply(net->fc[l].bias, change == ALL_TIMES_4 ? factor : 0);
    }
}

/* The share of the mean square of the last norm's outputs x [rows, n] by which samples
 * differ. 0: all samples give the same row. */
static double share_between_samples(const Tensor *x) {
    size_t rows = x->shape[0], n = x->shape[1];
    double all = 0, common = 0;
    for (size_t c = 0; c < n; c++) {
        double sum = 0;
        for (size_t r = 0; r < rows; r++) {
            double value = (double)x->data[r * n + c];
            sum += value;
            all += value * value;
        }
        common += sum * sum / (double)rows;
    }
    return 1 - common / all;
}

static double measure_share(const Net *net, Tape *t, const SpiralPoints *points) {
    t->training = true;
    Tensor *normed = NULL,
           *x = tape_input(t, 2, (size_t[]){SPIRAL_POINTS, 2}, points->x);
    for (size_t l = 0; l < DEPTH; l++) {
        normed = layer_forward(t, net->norm[l], linear(t, &net->fc[l], x));
        x = relu(t, normed);
    }
    double share = share_between_samples(normed);
    tape_reset(t);
    return share;
}

/* How far a step will turn the first weight, as a share of its length. */
static double turn(const Net *net) {
    const Tensor *w = net->fc[0].weight;
    double squares = 0;
    for (size_t i = 0; i < tensor_size(w); i++)
        squares += (double)w->data[i] * (double)w->data[i];
    return (double)learning_rate * tensor_grad_norm(w) / sqrt(squares);
}

typedef struct {
    double first_turn, second_turn, share, loss;
} Outcome;

static Outcome train(const Case *which, size_t steps, uint64_t seed) {
    SpiralPoints points = spiral_points_draw(seed);
    Net net;
    net_create(
        &net,
        (NetConfig){.norm = which->norm, .depth = DEPTH, .scale = scale, .eps = 1e-5f},
        seed);
    Tape tape = tape_create(seed);
    Random order = random_stream(seed, STREAM_SAMPLE);
    Outcome o = {0};
    size_t last = steps / 10;
    for (size_t step = 0; step < steps; step++) {
        double loss = net_gradient(&net, &tape, &points, BATCH, &order);
        if (step == 0) o.first_turn = turn(&net);
        if (step == 1) o.second_turn = turn(&net);
        if (step >= steps - last) o.loss += loss / (double)last;
        sgd_step(&net.params, learning_rate);
        if (step > 0) continue;
        apply(which->change, &net, seed);
        o.share = measure_share(&net, &tape, &points);
    }
    tape_free(&tape);
    net_free(&net);
    return o;
}

void experiment_first_step(const Settings *settings) {
    size_t steps = settings->quick ? 200 : 1000;
    Csv csv = csv_begin(settings->out, "first-step",
                        "case,seed,first_turn,second_turn,share,loss");
    double loss[CASES] = {0}, least_turn = INFINITY;
    printf("SGD %g, weights from N(0, 0.001^2); means of %d seeds; after step 1:\n"
           "                               turn 1   turn 2   differ    loss\n",
           (double)learning_rate, SEEDS);
    for (size_t i = 0; i < CASES; i++) {
        Outcome mean = {0};
        for (uint64_t seed = settings->seed; seed < settings->seed + SEEDS; seed++) {
            Outcome o = train(&cases[i], steps, seed);
            csv_row(&csv, "%s,%llu,%.6g,%.6g,%.6g,%.6g", cases[i].id,
                    (unsigned long long)seed, o.first_turn, o.second_turn, o.share,
                    o.loss);
            mean.first_turn += o.first_turn / SEEDS;
            mean.second_turn += o.second_turn / SEEDS;
            mean.share += o.share / SEEDS;
            loss[i] += o.loss / SEEDS;
            least_turn = smaller(least_turn, o.first_turn);
        }
        printf("%-28s  %7.0f  %7.3f  %7.3f  %6.3f\n", cases[i].name, mean.first_turn,
               mean.second_turn, mean.share, loss[i]);
    }
    csv_commit(&csv);
    claim(least_turn > 30,
          "the first step is %.0f times as long as the weight or more "
          "(30 times)",
          least_turn);
    if (settings->quick) return;
    claim(loss[0] < 0.25, "BatchNorm learns all the same: %.3f (below 0.25)", loss[0]);
    claim(smaller(loss[1], smaller(loss[2], loss[3])) > 0.4,
          "LayerNorm does not, nor with longer weights or without biases: %.3f or more "
          "(0.4)",
          smaller(loss[1], smaller(loss[2], loss[3])));
    claim(loss[5] < 0.1, "with weights drawn anew it does: %.3f (below 0.1)", loss[5]);
}

/* Training with batches of 64 to 1: BatchNorm learns less the smaller the batch,
 * and nothing from single samples. */
#include <math.h>
#include <stdio.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/spirals.h"
#include "01-layernorm-vs-batchnorm/experiments/experiments.h"
#include "01-layernorm-vs-batchnorm/experiments/norm_net.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/progress.h"

enum { SEEDS = 5, WINDOWS = 32, BATCHES = 5 };
static const size_t batches[BATCHES] = {64, 16, 4, 2, 1};

/* One training: per window the mean loss, the loss of the same points in evaluation
 * mode at its end, and the mean gradient norm of the first weight; then over all steps
 * the largest of these norms, and the accuracy on other points. */
typedef struct {
    double loss[WINDOWS], evaluated[WINDOWS], grad_norm[WINDOWS];
    double largest_grad_norm, accuracy;
} Run;

static Run train(const SpiralPoints *points, const SpiralPoints *test, NetNorm norm,
                 size_t batch, size_t samples, uint64_t seed) {
    Net net;
    net_create(&net, (NetConfig){.norm = norm, .depth = 2, .eps = 1e-5f}, seed);
    AdamW adamw = adamw_create(&net.params, 2e-3f, 0.0f);
    Tape tape = tape_create(seed);
    Random order = random_stream(seed, STREAM_SAMPLE);
    Run run = {0};
    size_t steps = samples / WINDOWS / batch;
    for (size_t window = 0; window < WINDOWS; window++) {
        for (size_t step = 0; step < steps; step++) {
            run.loss[window] +=
                net_gradient(&net, &tape, points, batch, &order) / (double)steps;
            double grad_norm = tensor_grad_norm(net.fc[0].weight);
            run.grad_norm[window] += grad_norm / (double)steps;
            run.largest_grad_norm = larger(run.largest_grad_norm, grad_norm);
            adamw_step(&adamw, &net.params);
        }
        run.evaluated[window] = net_loss(&net, &tape, points);
    }
    run.accuracy = net_accuracy(&net, &tape, test);
    tape_free(&tape);
    adamw_free(&adamw);
    net_free(&net);
    return run;
}

typedef struct {
    double mean, min, max;
} Spread;

static Spread over_seeds(const double values[SEEDS]) {
    Spread s = {0, INFINITY, -INFINITY};
    for (size_t i = 0; i < SEEDS; i++) {
        s.mean += values[i] / SEEDS;
        s.min = smaller(s.min, values[i]);
        s.max = larger(s.max, values[i]);
    }
    return s;
}

/* The last window of one norm and batch size, over the seeds. */
typedef struct {
    Spread loss, evaluated, grad_norm, largest_grad_norm;
} Summary;

/* Writes the runs' rows of the CSV and their line of the table. */
static Summary summarize(Csv *csv, const Run runs[SEEDS], NetNorm norm, size_t batch,
                         size_t samples) {
    Summary s;
    double values[SEEDS];
    for (size_t w = 0; w < WINDOWS; w++) {
        for (size_t i = 0; i < SEEDS; i++) values[i] = runs[i].loss[w];
        s.loss = over_seeds(values);
        for (size_t i = 0; i < SEEDS; i++) values[i] = runs[i].evaluated[w];
        s.evaluated = over_seeds(values);
        for (size_t i = 0; i < SEEDS; i++) values[i] = runs[i].grad_norm[w];
        s.grad_norm = over_seeds(values);
        csv_row(csv, "%s,%zu,%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g",
                net_norm_names[norm], batch, (w + 1) * (samples / WINDOWS), s.loss.mean,
                s.loss.min, s.loss.max, s.evaluated.mean, s.evaluated.min,
                s.evaluated.max, s.grad_norm.mean, s.grad_norm.min, s.grad_norm.max);
    }
    for (size_t i = 0; i < SEEDS; i++) values[i] = runs[i].largest_grad_norm;
    s.largest_grad_norm = over_seeds(values);
    for (size_t i = 0; i < SEEDS; i++) values[i] = runs[i].accuracy;
    Spread accuracy = over_seeds(values);
    printf("%-5s  %4zu  %6.3f (%.3f to %.3f)  %10.3f  %8.3f  %22.4f\n",
           net_norm_names[norm], batch, s.loss.mean, s.loss.min, s.loss.max,
           s.evaluated.mean, accuracy.mean, s.grad_norm.mean);
    return s;
}

void experiment_small_batch(const Settings *settings) {
    size_t samples = settings->quick ? 8192 : 65536;
    Csv csv = csv_begin(settings->out, "small-batch",
                        "norm,batch,samples,loss,loss_min,loss_max,evaluated,"
                        "evaluated_min,evaluated_max,grad_norm,grad_norm_min,"
                        "grad_norm_max");
    Summary summaries[NET_NORMS][BATCHES];
    printf("two spirals, %zu samples seen, %d seeds\n", samples, SEEDS);
    printf("norm  batch  loss in training         evaluation  accuracy  "
           "gradient of 1st weight\n");
    Progress progress =
        progress_begin("small-batch", (size_t)NET_NORMS * BATCHES * SEEDS);
    for (NetNorm norm = NET_PLAIN; norm < NET_NORMS; norm++) {
        for (size_t b = 0; b < BATCHES; b++) {
            Run runs[SEEDS];
            for (size_t s = 0; s < SEEDS; s++) {
                SpiralPoints points, test;
                Random random = random_stream(settings->seed + s, STREAM_DATA);
                spirals_fill(points.x, points.classes, SPIRAL_POINTS, &random);
                spirals_fill(test.x, test.classes, SPIRAL_POINTS, &random);
                runs[s] = train(&points, &test, norm, batches[b], samples,
                                settings->seed + s);
                progress_update(&progress, ((size_t)norm * BATCHES + b) * SEEDS + s,
                                "%s, batch %zu", net_norm_names[norm], batches[b]);
            }
            summaries[norm][b] = summarize(&csv, runs, norm, batches[b], samples);
        }
    }
    progress_end(&progress);
    csv_commit(&csv);
    const Summary *bn = summaries[NET_BATCHNORM], *ln = summaries[NET_LAYERNORM];
    claim(bn[4].largest_grad_norm.max == 0,
          "BatchNorm at batch 1: the first weight's gradient is exactly 0 in all steps "
          "of all seeds");
    claim(bn[4].loss.min > 0.65 && bn[4].loss.max < 0.75,
          "BatchNorm at batch 1: the loss stays between %.3f and %.3f (ln 2 = 0.693)",
          bn[4].loss.min, bn[4].loss.max);
    claim(smaller(bn[2].loss.min, bn[3].loss.min) > 0.55,
          "BatchNorm at batch 2 and 4: the loss stays above %.3f (allowed 0.55)",
          smaller(bn[2].loss.min, bn[3].loss.min));
    claim(bn[1].loss.min > bn[0].loss.max,
          "BatchNorm: the best seed at batch 16 (%.3f) is worse than the worst at "
          "batch 64 (%.3f)",
          bn[1].loss.min, bn[0].loss.max);
    claim(bn[1].evaluated.max < bn[1].loss.min,
          "BatchNorm at batch 16: in evaluation mode the loss is another, %.3f to %.3f",
          bn[1].evaluated.min, bn[1].evaluated.max);
    claim(bn[4].evaluated.min > 10,
          "BatchNorm at batch 1: in evaluation mode it is %.0f or more (above 10)",
          bn[4].evaluated.min);
    double worst = 0;
    for (size_t b = 0; b < BATCHES; b++) worst = larger(worst, ln[b].loss.max);
    claim(worst < 0.2,
          "LayerNorm: the loss falls to %.3f or less at every batch size and seed "
          "(below 0.2)",
          worst);
}

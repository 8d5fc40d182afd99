/* A MODEL, not a measurement: where communication overtakes computing, up to 1000
 * nodes. */
#include <math.h>
#include <stdio.h>

#include "16-data-parallel/experiments/experiments.h"
#include "16-data-parallel/experiments/trials.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

/* A node computes 100 TFLOP a second, and its micro-batch has 8 windows of 1024 tokens;
 * a message takes 20 microseconds and its bytes. A token costs 6 operations a
 * parameter. */
static const double flops = 100e12, window = 1024, latency = 20e-6;
enum { WINDOWS = 8, ALL_WINDOWS = 512, MOST_NODES = 512 };

static double computing(double parameters, double windows) {
    return 6 * parameters * window * windows / flops;
}

static double ring(double nodes, double parameters, double bytes_a_second) {
    return 2 * (nodes - 1) * (latency + 4 * parameters / nodes / bytes_a_second);
}

/* Two thirds of the computing are the backward pass, behind which messages can hide. */
static double waits(double compute, double send) {
    return larger(0, send - compute * 2 / 3);
}

/* The share of a step that computes, when each node keeps its 8 windows (weak scaling)
 * and when all nodes share 512 (strong scaling): 124M parameters, 100 Gbit/s. */
static void efficiency(const Settings *settings, double parameters) {
    Csv csv = csv_begin(settings->out, "efficiency", "nodes,weak,strong");
    double weak = 0, strong = 0;
    for (double nodes = 1; nodes <= MOST_NODES; nodes *= 2) {
        double send = ring(nodes, parameters, 100e9 / 8);
        double compute = computing(parameters, WINDOWS);
        weak = compute / (compute + waits(compute, send));
        compute = computing(parameters, ALL_WINDOWS / nodes);
        strong = compute / (compute + waits(compute, send));
        csv_row(&csv, "%.0f,%.6g,%.6g", nodes, weak, strong);
    }
    csv_commit(&csv);
    claim(
        strong < weak / 4,
        "%d nodes compute %.2f of the time with %d windows each, %.2f with %d in all: "
        "less than a quarter",
        MOST_NODES, weak, WINDOWS, strong, ALL_WINDOWS);
}

void experiment_scale(const Settings *settings) {
    static const struct {
        const char *name;
        double parameters;
    } models[] = {{"124M", 124439808}, {"1.5B", 1557611200}};
    if (trial_ranks()->rank > 0) return;
    Csv csv = csv_begin(settings->out, "scale",
                        "model,gbit,nodes,computing,ring,plain,overlap,accumulate");
    printf(
        "model, not measured: share of a step that waits for messages, 1000 nodes\n");
    printf("%6s %8s %10s %10s %8s %9s %17s\n", "model", "Gbit/s", "computing",
           "messages", "plain", "overlap", "16 micro-batches");
    double plain_at_10 = 0, best_at_100 = 0;
    for (size_t m = 0; m < 2; m++) {
        for (double gbit = 10; gbit <= 100; gbit *= 10) {
            for (double nodes = 1; nodes <= 1024; nodes *= 2) {
                double n = nodes == 1024 ? 1000 : nodes,
                       parameters = models[m].parameters;
                double compute = computing(parameters, WINDOWS),
                       send = ring(n, parameters, gbit * 1e9 / 8);
                double plain = send / (compute + send), left = waits(compute, send);
                double overlap = left / (compute + left),
                       accumulate = left / (16 * compute + left);
                csv_row(&csv, "%s,%.0f,%.0f,%.6g,%.6g,%.6g,%.6g,%.6g", models[m].name,
                        gbit, n, compute, send, plain, overlap, accumulate);
                if (n != 1000) continue;
                printf("%6s %8.0f %8.3f s %8.3f s %7.0f%% %8.0f%% %16.1f%%\n",
                       models[m].name, gbit, compute, send, 100 * plain, 100 * overlap,
                       100 * accumulate);
                if (gbit < 100) plain_at_10 = larger(plain_at_10, plain);
                if (gbit >= 100) best_at_100 = larger(best_at_100, accumulate);
            }
        }
    }
    csv_commit(&csv);
    claim(plain_at_10 > 0.5,
          "at 10 Gbit/s messages are up to %.2f of a step: more than half",
          plain_at_10);
    claim(best_at_100 < 0.1,
          "at 100 Gbit/s, with overlap and 16 micro-batches a node, at most %.2f: "
          "below 0.1",
          best_at_100);
    efficiency(settings, models[0].parameters);
}

/* Time and memory of a layer of attention against the length, of both kinds in one run. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "07-attention/attention.h"
#include "07-attention/experiments/experiments.h"
#include "claim.h"
#include "csv.h"
#include "fit.h"

enum { DIM = 64, HEADS = 4, SHORTEST = 128, LENGTHS = 5, FITTED = 3, SAMPLES = 5, QUICK_LENGTHS = 3 };

/* Time of the processors together, which does not count what else the machine does. */
typedef struct {
    double ms, megabytes;
} Cost;

static double processor_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* One forward and one backward pass over a text of so many words. The tape keeps its memory from pass to
 * pass. */
static Cost run_once(Tape *t, const Attention *a, size_t length, uint64_t seed) {
    Random random = random_stream(seed, length);
    tape_reset(t);
    Tensor *x = tape_tensor(t, 3, (size_t[]){1, length, DIM}, true);
    random_fill_normal(&random, x->data, length * DIM, 1);
    double start = processor_seconds();
    Tensor *out = attention(t, a, x);
    for (size_t i = 0; i < length * DIM; i++) out->grad[i] = 1;
    tape_backward_from_grad(t);
    return (Cost){1e3 * (processor_seconds() - start), 1e-6 * (double)t->arena.peak};
}

/* Both kinds in turns, so that what disturbs the one disturbs the other: the shortest time of each. */
static void measure(Cost cost[2], Attention *a, size_t length, uint64_t seed) {
    Tape t[2] = {tape_create(seed), tape_create(seed)};
    cost[0].ms = cost[1].ms = INFINITY;
    for (size_t i = 0; i < 2 * SAMPLES + 2; i++) {
        a->config.kind = i % 2 ? ATTENTION_ONLINE : ATTENTION_PLAIN;
        Cost now = run_once(&t[i % 2], a, length, seed);
        if (i >= 2) cost[i % 2].ms = smaller(cost[i % 2].ms, now.ms); /* the first asks for the memory */
        cost[i % 2].megabytes = now.megabytes;
    }
    tape_free(&t[0]);
    tape_free(&t[1]);
}

void experiment_cost(const Settings *settings) {
    Params params = {.mode = PARAMS_TRAIN};
    Random init = random_stream(settings->seed, 1);
    AttentionConfig config = {.d_model = DIM, .n_head = HEADS, .causal = true, .has_bias = true};
    Attention a = attention_create(&params, &init, &config, 0.1f, 0.1f, "attn");
    size_t lengths = settings->quick ? QUICK_LENGTHS : LENGTHS;
    double length_of[LENGTHS], ms[2][LENGTHS], megabytes[2][LENGTHS];
    Csv csv = csv_begin(settings->out, "07-cost", "kind,length,ms,megabytes,tables_megabytes");
    printf("  %6s %18s %18s\n  %6s %8s %9s %8s %9s\n", "", "plain", "online", "length", "ms", "MB", "ms",
           "MB");
    for (size_t i = 0; i < lengths; i++) {
        size_t length = (size_t)SHORTEST << i;
        Cost cost[2];
        length_of[i] = (double)length;
        measure(cost, &a, length, settings->seed);
        printf("  %6zu", length);
        for (size_t kind = 0; kind < 2; kind++) {
            ms[kind][i] = cost[kind].ms, megabytes[kind][i] = cost[kind].megabytes;
            csv_row(&csv, "%s,%zu,%.4g,%.6g,%.6g", kind ? "online" : "plain", length, ms[kind][i],
                    megabytes[kind][i], 2e-6 * HEADS * sizeof(float) * length_of[i] * length_of[i]);
            printf(" %8.2f %9.2f", ms[kind][i], megabytes[kind][i]);
        }
        printf("\n");
    }
    csv_commit(&csv);
    params_free(&params);
    double *last = length_of + lengths - FITTED, slope[2][2];
    csv = csv_begin(settings->out, "07-cost-slopes", "kind,ms,megabytes");
    for (size_t kind = 0; kind < 2; kind++) {
        slope[kind][0] = fit_exponent(last, ms[kind] + lengths - FITTED, FITTED);
        slope[kind][1] = fit_exponent(last, megabytes[kind] + lengths - FITTED, FITTED);
        csv_row(&csv, "%s,%.3f,%.3f", kind ? "online" : "plain", slope[kind][0], slope[kind][1]);
    }
    csv_commit(&csv);
    claim(slope[0][1] > 1.7 && fabs(slope[1][1] - 1) < 0.05,
          "memory ~ T^k, the %d longest: plain k = %.2f (above 1.7, theory 2), online %.2f (1 within 0.05)",
          FITTED, slope[0][1], slope[1][1]);
    claim(slope[0][0] > 1.4 && slope[1][0] > 1.4 && slope[0][0] < 2.4 && slope[1][0] < 2.4,
          "time ~ T^k: plain k = %.2f, online %.2f: neither saves operations (1.4 to 2.4, theory 2)",
          slope[0][0], slope[1][0]);
}

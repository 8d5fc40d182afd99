/* Time and memory of a layer of attention against the length, of both kinds in one
 * run. */
#include <math.h>
#include <stdio.h>

#include "07-attention/attention.h"
#include "07-attention/experiments/experiments.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "math/fit.h"
#include "kernels/threads.h"

enum {
    DIM = 64,
    HEADS = 4,
    SHORTEST = 128,
    LENGTHS = 5,
    FITTED = 3,
    SAMPLES = 5,
    QUICK_LENGTHS = 3
};

/* One thread's time on its processor, which does not count the machine's other work. */
typedef struct {
    double ms, megabytes;
} Cost;

/* One forward and one backward pass over a text of so many words. The tape keeps its
 * memory from pass to pass. */
static Cost run_once(Tape *t, const Attention *a, size_t length, uint64_t seed) {
    Random random = random_stream(seed, length);
    tape_reset(t);
    Tensor *x = tape_tensor(t, 3, (size_t[]){1, length, DIM}, true);
    random_fill_normal(&random, x->data, length * DIM, 1);
    double start = clock_thread_seconds();
    Tensor *out = attention(t, a, x);
    for (size_t i = 0; i < length * DIM; i++) out->grad[i] = 1;
    tape_backward_from_grad(t);
    return (Cost){1e3 * (clock_thread_seconds() - start), 1e-6 * (double)t->arena.peak};
}

/* Both kinds in turns, so that disturbances hit both: the shortest time of each. */
static void measure(Cost cost[2], Attention *a, size_t length, uint64_t seed) {
    Tape t[2] = {tape_create(seed), tape_create(seed)};
    cost[0].ms = cost[1].ms = INFINITY;
    for (size_t i = 0; i < 2 * SAMPLES + 2; i++) {
        a->config.kind = i % 2 ? ATTENTION_ONLINE : ATTENTION_PLAIN;
        Cost now = run_once(&t[i % 2], a, length, seed);
        /* the first asks for the memory */
        if (i >= 2) cost[i % 2].ms = smaller(cost[i % 2].ms, now.ms);
        cost[i % 2].megabytes = now.megabytes;
    }
    tape_free(&t[0]);
    tape_free(&t[1]);
}

/* Multiply-adds, in millions, of a pass forward and two of its size back: the four
 * matrices of DIM x DIM, scores and values of the positions that a causal mask shows.
 * The online kind takes the scores once more. */
static double operations(AttentionKind kind, double length) {
    double matrices = 4 * length * DIM * DIM, looking = length * length * DIM;
    return 1e-6 *
           (3 * (matrices + looking) + (kind == ATTENTION_ONLINE ? looking / 2 : 0));
}

typedef struct {
    size_t n;
    double length[LENGTHS];
    Cost cost[LENGTHS][2]; /* by kind */
} Table;

static void measure_all(Table *x, uint64_t seed) {
    Params params = {.mode = PARAMS_TRAIN};
    Random init = random_stream(seed, 1);
    AttentionConfig config = {.d_model = DIM,
                              .n_head = HEADS,
                              .causal = true,
                              .qkv_bias = true,
                              .proj_bias = true};
    Attention a = attention_create(&params, &init, &config, 0.1f, 0.1f, "attn");
    printf("  %6s %18s %18s\n  %6s", "", "plain", "online", "length");
    printf(" %8s %9s %8s %9s\n", "ms", "MB", "ms", "MB");
    for (size_t i = 0; i < x->n; i++) {
        size_t length = (size_t)SHORTEST << i;
        x->length[i] = (double)length;
        measure(x->cost[i], &a, length, seed);
        printf("  %6zu", length);
        for (size_t k = 0; k < 2; k++)
            printf(" %8.2f %9.2f", x->cost[i][k].ms, x->cost[i][k].megabytes);
        printf("\n");
    }
    params_free(&params);
}

/* Predicted: the time at half the length, times the operations' factor; and two tables
 * of weights. */
static void write_table(const Settings *settings, const Table *x) {
    Csv csv =
        csv_begin(settings->out, "cost",
                  "kind,length,operations,ms,predicted_ms,megabytes,tables_megabytes");
    for (size_t row = 0; row < 2 * x->n; row++) {
        AttentionKind kind = row < x->n ? ATTENTION_PLAIN : ATTENTION_ONLINE;
        size_t i = row % x->n, half = i ? i - 1 : 0;
        double factor =
            operations(kind, x->length[i]) / operations(kind, x->length[half]);
        double tables = kind == ATTENTION_PLAIN
                            ? 2e-6 * HEADS * sizeof(float) * x->length[i] * x->length[i]
                            : 0;
        csv_row(&csv, "%s,%.0f,%.6g,%.4g,%.4g,%.6g,%.6g",
                kind == ATTENTION_PLAIN ? "plain" : "online", x->length[i],
                operations(kind, x->length[i]), x->cost[i][kind].ms,
                factor * x->cost[half][kind].ms, x->cost[i][kind].megabytes, tables);
    }
    csv_commit(&csv);
}

typedef struct {
    double ms, megabytes; /* the k of T^k, of the longest */
} Exponents;

static Exponents exponents_of(const Table *x, AttentionKind kind) {
    double ms[FITTED], megabytes[FITTED];
    size_t first = x->n - FITTED;
    for (size_t i = 0; i < FITTED; i++) {
        ms[i] = x->cost[first + i][kind].ms;
        megabytes[i] = x->cost[first + i][kind].megabytes;
    }
    return (Exponents){fit_exponent(x->length + first, ms, FITTED),
                       fit_exponent(x->length + first, megabytes, FITTED)};
}

void experiment_cost(const Settings *settings) {
    Table x = {.n = settings->quick ? QUICK_LENGTHS : LENGTHS};
    threads_use(1);
    measure_all(&x, settings->seed);
    threads_use(settings->threads);
    write_table(settings, &x);
    Exponents plain = exponents_of(&x, ATTENTION_PLAIN),
              online = exponents_of(&x, ATTENTION_ONLINE);
    Csv csv = csv_begin(settings->out, "cost-slopes", "kind,ms,megabytes");
    csv_row(&csv, "plain,%.3f,%.3f", plain.ms, plain.megabytes);
    csv_row(&csv, "online,%.3f,%.3f", online.ms, online.megabytes);
    csv_commit(&csv);
    claim(plain.megabytes > 1.7 && fabs(online.megabytes - 1) < 0.05,
          "memory ~ T^k, the %d longest: plain k = %.2f (above 1.7, theory 2), online "
          "%.2f (1 within 0.05)",
          FITTED, plain.megabytes, online.megabytes);
    claim(plain.ms > 1.4 && online.ms > 1.4 && plain.ms < 2.4 && online.ms < 2.4,
          "time ~ T^k: plain k = %.2f, online %.2f: neither saves operations (1.4 to "
          "2.4, theory 2)",
          plain.ms, online.ms);
}

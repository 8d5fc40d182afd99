/* The singular values of the input-output Jacobian before training: by how much a stack
 * stretches the directions of its input (Bachlechner et al. 2020). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { KINDS = 9, DEPTHS = 5 };

static const size_t kinds[KINDS] = {NONE, NORM_ONLY, PLAIN, PLAIN_SCALED, POST,
                                    PRE,  REZERO,    FIXUP, ADMIN};
enum {
    AS_NONE,
    AS_NORM,
    AS_PLAIN,
    AS_SCALED,
    AS_POST,
    AS_PRE,
    AS_REZERO,
    AS_FIXUP,
    AS_ADMIN
};
static const size_t depths[DEPTHS] = {2, 4, 8, 16, 32};

/* jacobian[i] is the gradient of output i in the input: one pass for each output. */
static void input_output_jacobian(double jacobian[WIDTH][WIDTH], const Network *n,
                                  uint64_t seed) {
    Random data = random_stream(seed, STREAM_DATA);
    float input[WIDTH];
    random_fill_normal(&data, input, WIDTH, 1.0f);
    Tape t = tape_create(seed);
    for (size_t i = 0; i < WIDTH; i++) {
        tape_reset(&t);
        Tensor *x = tape_tensor(&t, 2, (size_t[]){1, WIDTH}, true);
        memcpy(x->data, input, sizeof input);
        Tensor *out = stack(&t, &n->stack, x);
        out->grad[i] = 1.0f;
        tape_backward_from_grad(&t);
        for (size_t j = 0; j < WIDTH; j++) jacobian[i][j] = (double)x->grad[j];
    }
    tape_free(&t);
}

/* Turns two rows until they are orthogonal. Returns the cosine that they had. */
static double make_orthogonal(double *a, double *b) {
    double aa = 0, bb = 0, ab = 0;
    for (size_t j = 0; j < WIDTH; j++) {
        aa += a[j] * a[j];
        bb += b[j] * b[j];
        ab += a[j] * b[j];
    }
    if (ab == 0) return 0;
    double tau = (bb - aa) / (2 * ab),
           tangent = (tau < 0 ? -1 : 1) / (fabs(tau) + sqrt(1 + tau * tau));
    double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
    for (size_t j = 0; j < WIDTH; j++) {
        double old = a[j];
        a[j] = cosine * old - sine * b[j];
        b[j] = sine * old + cosine * b[j];
    }
    return fabs(ab) / sqrt(aa * bb);
}

/* One-sided Jacobi: rows that are all orthogonal have the singular values as their
 * lengths. */
static void singular_values(double values[WIDTH], double rows[WIDTH][WIDTH]) {
    double worst = 1;
    for (size_t sweep = 0; sweep < 60 && worst > 1e-9; sweep++) {
        worst = 0;
        for (size_t i = 0; i < WIDTH; i++) {
            for (size_t k = i + 1; k < WIDTH; k++)
                worst = larger(worst, make_orthogonal(rows[i], rows[k]));
        }
    }
    for (size_t i = 0; i < WIDTH; i++) {
        double sum = 0;
        for (size_t j = 0; j < WIDTH; j++) sum += rows[i][j] * rows[i][j];
        values[i] = sqrt(sum);
    }
}

/* The geometric means over the seeds of the largest and the median value, and the
 * former divided by the latter. */
typedef struct {
    /* from_one: how far any value of any seed is from 1 */
    double largest, median, ratio, from_one;
} Spread;

static Spread measure(size_t kind, size_t depth, const Settings *settings,
                      size_t seeds) {
    double largest[RUN_SEEDS], median[RUN_SEEDS];
    Spread s = {0};
    for (size_t k = 0; k < seeds; k++) {
        double jacobian[WIDTH][WIDTH], values[WIDTH];
        Network n = network_create(&schemes[kinds[kind]], WIDTH, 2 * WIDTH,
                                   settings->seed + k, depth);
        input_output_jacobian(jacobian, &n, settings->seed + k);
        network_free(&n);
        singular_values(values, jacobian);
        for (size_t i = 0; i < WIDTH; i++)
            s.from_one = larger(s.from_one, fabs(values[i] - 1));
        median[k] = quantile(values, WIDTH, 0.5);
        largest[k] = values[WIDTH - 1];
    }
    s.largest = geometric_mean(largest, seeds);
    s.median = geometric_mean(median, seeds);
    s.ratio = s.largest / s.median;
    return s;
}

void experiment_jacobian(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : RUN_SEEDS;
    Spread table[KINDS][DEPTHS];
    Csv csv =
        csv_begin(settings->out, "jacobian", "scheme,layers,largest,median,ratio");
    printf("  the largest singular value divided by the median one\n  %-10s", "layers");
    for (size_t d = 0; d < DEPTHS; d++) printf(" %9zu", depths[d]);
    for (size_t i = 0; i < KINDS; i++) {
        printf("\n  %-10s", schemes[kinds[i]].name);
        for (size_t d = 0; d < DEPTHS; d++) {
            table[i][d] = measure(i, depths[d], settings, seeds);
            const Spread *s = &table[i][d];
            csv_row(&csv, "%s,%zu,%.6g,%.6g,%.6g", schemes[kinds[i]].name, depths[d],
                    s->largest, s->median, s->ratio);
            printf(" %9.3g", s->ratio);
        }
    }
    putchar('\n');
    csv_commit(&csv);
    claim(table[AS_REZERO][DEPTHS - 1].from_one < 1e-6 &&
              table[AS_FIXUP][DEPTHS - 1].from_one < 1e-6,
          "ReZero and Fixup: all singular values are 1 within 1e-6 at %zu layers",
          depths[DEPTHS - 1]);
    claim(
        table[AS_NONE][DEPTHS - 1].ratio > 10 * table[AS_NONE][0].ratio,
        "F(x): the ratio grows from %.1f at %zu layers to %.3g at %zu, tenfold or more",
        table[AS_NONE][0].ratio, depths[0], table[AS_NONE][DEPTHS - 1].ratio,
        depths[DEPTHS - 1]);
    claim(table[AS_SCALED][DEPTHS - 1].ratio < table[AS_PLAIN][DEPTHS - 1].ratio / 100,
          "%zu layers: plain scaled by 1/sqrt N %.2f, less than a hundredth of plain's "
          "%.3g",
          depths[DEPTHS - 1], table[AS_SCALED][DEPTHS - 1].ratio,
          table[AS_PLAIN][DEPTHS - 1].ratio);
    claim(table[AS_ADMIN][DEPTHS - 1].ratio < table[AS_POST][DEPTHS - 1].ratio / 2,
          "%zu layers: Admin %.2f, less than half of post-LN's %.2f",
          depths[DEPTHS - 1], table[AS_ADMIN][DEPTHS - 1].ratio,
          table[AS_POST][DEPTHS - 1].ratio);
}

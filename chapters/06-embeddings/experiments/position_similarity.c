/* Cosines between sinusoidal and between random positions. */
#include <math.h>
#include <stdio.h>

#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/sinusoidal.h"
#include "claim.h"
#include "csv.h"
#include "fit.h"
#include "random.h"
#include "reduce.h"

static double length_of(const float *row, size_t dim) {
    return sqrt((double)row_sum_squares(row, 0, dim));
}

static double cosine(const float *a, const float *b, size_t dim) {
    return (double)row_dot(a, b, dim) / (length_of(a, dim) * length_of(b, dim));
}

void show_similarity(void) {
    enum { N = 200, DIM = 64 };
    static const size_t starts[] = {0, 10, 100}, distances[] = {0, 1, 2, 4, 8, 16, 32, 64};
    float table[N * DIM];
    sinusoidal_table(table, N, DIM);
    printf("\nCosine between sinusoidal positions p and p + distance, %d columns:\n  distance", DIM);
    for (size_t j = 0; j < 8; j++) printf(" %7zu", distances[j]);
    printf("\n");
    for (size_t i = 0; i < 3; i++) {
        printf("  p = %-4zu", starts[i]);
        for (size_t j = 0; j < 8; j++) {
            printf(" %7.4f", cosine(table + starts[i] * DIM, table + (starts[i] + distances[j]) * DIM, DIM));
        }
        printf("\n");
    }
}

void experiment_position_similarity(const Settings *settings) {
    enum { N = 64, DIM = 64, STREAM_POSITIONS = 7 };
    float sinusoidal[N * DIM], random[N * DIM];
    Random r = random_stream(settings->seed, STREAM_POSITIONS);
    sinusoidal_table(sinusoidal, N, DIM);
    random_fill_normal(&r, random, N * DIM, 0.02f);
    Csv csv = csv_begin(settings->out, "06-position-similarity", "p,q,sinusoidal,random");
    double by_distance[N], worst = 0, largest_random = 0;
    for (size_t q = 0; q < N; q++) by_distance[q] = cosine(sinusoidal, sinusoidal + q * DIM, DIM);
    for (size_t p = 0; p < N; p++) {
        for (size_t q = 0; q < N; q++) {
            double fixed = cosine(sinusoidal + p * DIM, sinusoidal + q * DIM, DIM);
            double drawn = cosine(random + p * DIM, random + q * DIM, DIM);
            worst = larger(worst, fabs(fixed - by_distance[p > q ? p - q : q - p]));
            if (p != q) largest_random = larger(largest_random, fabs(drawn));
            csv_row(&csv, "%zu,%zu,%.6g,%.6g", p, q, fixed, drawn);
        }
    }
    csv_commit(&csv);
    claim(worst < 1e-5, "the cosine of two sinusoidal positions depends on their distance alone (to %.1e)",
          worst);
    claim(by_distance[1] > 0.9 && by_distance[1] > by_distance[4] && by_distance[4] > by_distance[16],
          "neighbours are similar: %.3f at distance 1, %.3f at 4, %.3f at 16", by_distance[1], by_distance[4],
          by_distance[16]);
    claim(largest_random < 0.6, "positions drawn at random know no neighbours: the largest cosine is %.3f",
          largest_random);
}

/* Chapter 06: tokens and positions become vectors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "06-embeddings/embedding.h"
#include "06-embeddings/order.h"
#include "06-embeddings/positions.h"
#include "06-embeddings/sinusoidal.h"
#include "claim.h"
#include "csv.h"
#include "fit.h"
#include "fmath.h"
#include "matmul.h"
#include "memory.h"
#include "params.h"
#include "program.h"
#include "reduce.h"

enum { ORDER_STEPS = 400, ORDER_POINTS = ORDER_STEPS / ORDER_EVERY + 1 };

static double length_of(const float *row, size_t dim) {
    return sqrt((double)row_sum_squares(row, 0, dim));
}

/* --- a failure first: word order without positions --- */

static void show_order(uint64_t seed) {
    printf("Which of two words comes first? Share of right answers after training:\n");
    printf("  positions     step 0  step 100  step 200\n");
    for (int kind = 0; kind < N_ORDER_POSITIONS; kind++) {
        double accuracy[ORDER_POINTS];
        order_train(accuracy, (OrderPositions)kind, 200, seed);
        printf("  %-12s %6.1f%%   %6.1f%%   %6.1f%%\n", order_positions_names[kind], 100 * accuracy[0],
               100 * accuracy[100 / ORDER_EVERY], 100 * accuracy[200 / ORDER_EVERY]);
    }
}

/* --- a lookup is a matrix product, and its gradient is sparse --- */

static void show_lookup(uint64_t seed) {
    enum { WORDS = 6, DIM = 4, N = 5 };
    static const int tokens[N] = {3, 1, 3, 0, 3};
    Tape t = tape_create(seed);
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *table = params_add(&params, 2, (size_t[]){WORDS, DIM}, "wte.weight");
    random_fill_normal(&t.random, table->data, WORDS * DIM, 1);
    Tensor *out = embedding(&t, table, tokens, 1, (size_t[]){N}, NO_PADDING);

    float one_hot[N * WORDS] = {0}, product[N * DIM], weights[N * DIM];
    for (size_t i = 0; i < N; i++) one_hot[i * WORDS + (size_t)tokens[i]] = 1.0f;
    matmul(product, one_hot, table->data, N, DIM, WORDS, false);
    printf("\nTokens 3 1 3 0 3 through a table of %d rows of %d:\n", WORDS, DIM);
    printf("  largest difference between the lookup and one-hot rows times the table: %g\n",
           largest_difference(out->data, product, N * DIM));

    for (size_t i = 0; i < N * DIM; i++) weights[i] = 1.0f;
    tape_backward(&t, tape_weighted_sum(&t, out, weights));
    printf("  gradient of the table when every output has the gradient 1:\n");
    for (size_t row = 0; row < WORDS; row++) {
        printf("    row %zu ", row);
        for (size_t c = 0; c < DIM; c++) printf(" %2.0f", (double)table->grad[row * DIM + c]);
        printf("\n");
    }
    tape_free(&t);
    params_free(&params);
}

/* --- how large the numbers of a new table should be --- */

static double initial_loss(const float *table, size_t n_rows, size_t dim, const float *hidden, size_t n) {
    float *logits = checked_alloc(n * n_rows, sizeof *logits), logsumexp[64];
    int targets[64];
    for (size_t i = 0; i < n; i++) targets[i] = (int)(i * n_rows / n);
    matmul_a_bt(logits, hidden, table, n, n_rows, dim, false);
    double loss = (double)cross_entropy_forward(logsumexp, logits, targets, n, n_rows);
    free(logits);
    return loss;
}

static void show_initialization(uint64_t seed) {
    enum { WORDS = 50257, DIM = 32, N = 16 };
    double xavier = sqrt(2.0 / (WORDS + DIM));
    const struct {
        const char *name;
        double std, std_positions;
    } choices[] = {
        {"Xavier, positions N(0, 1)", xavier, 1}, {"both N(0, 0.02^2)", 0.02, 0.02}, {"both N(0, 1)", 1, 1}};
    float *normal = checked_alloc(WORDS * DIM, sizeof *normal),
          *table = checked_alloc(WORDS * DIM, sizeof *table);
    float hidden[N * DIM];
    Random r = random_stream(seed, 6);
    random_fill_normal(&r, normal, WORDS * DIM, 1);
    random_fill_normal(&r, hidden, N * DIM, 1);
    printf("\nInitialization of a table of %d words of %d numbers (ln %d = %.2f):\n", WORDS, DIM, WORDS,
           log_double(WORDS));
    printf("                               std  word's share of    first loss,\n");
    printf("                          of words  word + position      tied head\n");
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        double std = choices[i].std, squares = choices[i].std_positions * choices[i].std_positions;
        for (size_t j = 0; j < WORDS * DIM; j++) table[j] = normal[j] * (float)std;
        printf("  %-25s %6.4f         %7.3f%%        %7.2f\n", choices[i].name, std,
               100 * std * std / (std * std + squares), initial_loss(table, WORDS, DIM, hidden, N));
    }
    free(normal);
    free(table);
}

/* --- a sentence in two pieces: the second must not start at position 0 again --- */

static void show_pieces(uint64_t seed) {
    enum { WORDS = 12, MAX = 16, DIM = 8, T = 7, PIECE = 4 };
    static const int tokens[T] = {5, 2, 7, 7, 1, 0, 9};
    Tape t = tape_create(seed);
    t.recording = false;
    float wte[WORDS * DIM], wpe[MAX * DIM];
    random_fill_normal(&t.random, wte, WORDS * DIM, 0.02f);
    random_fill_normal(&t.random, wpe, MAX * DIM, 0.02f);
    Tensor *words = tape_input(&t, 2, (size_t[]){WORDS, DIM}, wte);
    Tensor *places = tape_input(&t, 2, (size_t[]){MAX, DIM}, wpe);
    Tensor *whole = tape_add(&t, embedding(&t, words, tokens, 2, (size_t[]){1, T}, NO_PADDING),
                             positions(&t, places, NULL, 1, T));
    printf("\nA sentence of %d words at once, and as %d + %d; largest difference of the last %d rows:\n", T,
           PIECE, T - PIECE, T - PIECE);
    for (size_t first = 0; first <= PIECE; first += PIECE) {
        Tensor *piece =
            tape_add(&t, embedding(&t, words, tokens + PIECE, 2, (size_t[]){1, T - PIECE}, NO_PADDING),
                     positions(&t, places, &first, 1, T - PIECE));
        printf("  second piece from position %zu: %.4f\n", first,
               largest_difference(piece->data, whole->data + PIECE * DIM, (T - PIECE) * DIM));
    }
    tape_free(&t);
}

/* --- sinusoidal positions --- */

static double cosine(const float *a, const float *b, size_t dim) {
    return (double)row_dot(a, b, dim) / (length_of(a, dim) * length_of(b, dim));
}

static void show_similarity(void) {
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

static void demo(const Settings *settings) {
    show_order(settings->seed);
    show_lookup(settings->seed);
    show_initialization(settings->seed);
    show_pieces(settings->seed);
    show_similarity();
}

/* --- experiments --- */

static void position_similarity(const Settings *settings) {
    enum { N = 64, DIM = 64 };
    float sinusoidal[N * DIM], random[N * DIM];
    Random r = random_stream(settings->seed, 7);
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

static void order(const Settings *settings) {
    double accuracy[N_ORDER_POSITIONS][ORDER_POINTS];
    size_t steps = settings->quick ? 100 : ORDER_STEPS, n = 0;
    for (int kind = 0; kind < N_ORDER_POSITIONS; kind++) {
        n = order_train(accuracy[kind], (OrderPositions)kind, steps, settings->seed);
    }
    Csv csv = csv_begin(settings->out, "06-order", "step,none,learned,sinusoidal");
    for (size_t i = 0; i < n; i++) {
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g", i * ORDER_EVERY, accuracy[0][i], accuracy[1][i], accuracy[2][i]);
    }
    csv_commit(&csv);
    double none = accuracy[ORDER_NO_POSITIONS][n - 1];
    claim(none > 0.45 && none < 0.55, "without positions the answer is a guess: %.1f %% right", 100 * none);
    for (int kind = ORDER_LEARNED; kind <= ORDER_SINUSOIDAL; kind++) {
        claim(accuracy[kind][n - 1] > 0.98, "with %s positions %.1f %% right", order_positions_names[kind],
              100 * accuracy[kind][n - 1]);
    }
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"position-similarity", "cosines between sinusoidal and between random positions",
         position_similarity},
        {"order", "a task that cannot be learned without positions", order},
        {0}};
    return program_run(argc, argv,
                       &(Program){.name = "06-embeddings",
                                  .summary = "tokens and positions become vectors",
                                  .example = "--experiment order",
                                  .experiments = experiments,
                                  .demo = demo});
}

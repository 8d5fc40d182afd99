/* Chapter 06: tokens and positions become vectors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "06-embeddings/embedding.h"
#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/experiments/order_model.h"
#include "06-embeddings/positions.h"
#include "fit.h"
#include "fmath.h"
#include "matmul.h"
#include "memory.h"
#include "params.h"
#include "program.h"

/* --- a failure first: word order without positions --- */

static void show_order(uint64_t seed) {
    enum { STEPS = 200 };
    printf("Which of two words comes first? Share of right answers after training:\n");
    printf("  positions     step 0  step 100  step 200\n");
    for (int kind = 0; kind < N_ORDER_POSITIONS; kind++) {
        double accuracy[STEPS / ORDER_EVERY + 1];
        order_train(accuracy, (OrderPositions)kind, STEPS, seed);
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
    enum { WORDS = 50257, DIM = 32, N = 16, STREAM_TABLE = 6 };
    double xavier = sqrt(2.0 / (WORDS + DIM));
    const struct {
        const char *name;
        double std, std_positions;
    } choices[] = {
        {"Xavier, positions N(0, 1)", xavier, 1}, {"both N(0, 0.02^2)", 0.02, 0.02}, {"both N(0, 1)", 1, 1}};
    float *normal = checked_alloc(WORDS * DIM, sizeof *normal),
          *table = checked_alloc(WORDS * DIM, sizeof *table);
    float hidden[N * DIM];
    Random r = random_stream(seed, STREAM_TABLE);
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
    Tape t = tape_for_inference();
    Random random = random_create(seed);
    float wte[WORDS * DIM], wpe[MAX * DIM];
    random_fill_normal(&random, wte, WORDS * DIM, 0.02f);
    random_fill_normal(&random, wpe, MAX * DIM, 0.02f);
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

static void demo(const Settings *settings) {
    show_order(settings->seed);
    show_lookup(settings->seed);
    show_initialization(settings->seed);
    show_pieces(settings->seed);
    show_similarity();
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"position-similarity", "cosines between sinusoidal and between random positions",
         experiment_position_similarity},
        {"order", "a task that cannot be learned without positions", experiment_order},
        {0}};
    return program_run(argc, argv,
                       &(Program){.name = "06-embeddings",
                                  .summary = "tokens and positions become vectors",
                                  .example = "--experiment order",
                                  .experiments = experiments,
                                  .demo = demo});
}

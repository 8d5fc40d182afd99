/* Chapter 06: tokens and positions become vectors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "06-embeddings/embedding.h"
#include "06-embeddings/embedding_layer.h"
#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/padding.h"
#include "06-embeddings/positions.h"
#include "06-embeddings/sinusoidal.h"
#include "06-embeddings/word_positions.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "kernels/matmul.h"
#include "base/memory.h"
#include "weights/params.h"
#include "program/program.h"

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
    printf("  largest difference between the lookup and one-hot rows times the table: "
           "%g\n",
           largest_difference(out->data, product, N * DIM));

    for (size_t i = 0; i < N * DIM; i++) weights[i] = 1.0f;
    tape_backward(&t, tape_weighted_sum(&t, out, weights));
    printf("  gradient of the table when every output has the gradient 1:\n");
    for (size_t row = 0; row < WORDS; row++) {
        printf("    row %zu ", row);
        for (size_t c = 0; c < DIM; c++)
            printf(" %2.0f", (double)table->grad[row * DIM + c]);
        printf("\n");
    }
    tape_free(&t);
    params_free(&params);
}

/* --- sentences of different lengths --- */

static size_t last_word = 2;

enum { LENGTH_WORDS = 6, BATCH = 3, PLACES = 4, PADDING = 5 };

/* The gradient of each row of a table when every output has the gradient 1. */
static void print_gradients(const int *tokens, int padding) {
    float weights[BATCH * PLACES];
    for (size_t i = 0; i < BATCH * PLACES; i++) weights[i] = 1.0f;
    Tape t = tape_create(0);
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *table = params_add(&params, 2, (size_t[]){LENGTH_WORDS, 1}, "wte.weight");
    Tensor *out = embedding(&t, table, tokens, 2, (size_t[]){BATCH, PLACES}, padding);
    tape_backward(&t, tape_weighted_sum(&t, out, weights));
    for (size_t row = 0; row < LENGTH_WORDS; row++)
        printf(" %g", (double)table->grad[row]);
    printf("\n");
    tape_free(&t);
    params_free(&params);
}

static void show_lengths(void) {
    static const size_t lengths[BATCH] = {2, 4, 1};
    const int words[] = {3, 1, 0, 3, 4, (int)last_word, 4};
    int tokens[BATCH * PLACES];
    pad_rows(tokens, words, lengths, BATCH, PLACES, PADDING);
    printf("\nSentences of 2, 4 and 1 words in one batch, filled up with token %d:\n",
           PADDING);
    for (size_t b = 0; b < BATCH; b++) {
        const int *row = tokens + b * PLACES;
        printf("    %d %d %d %d\n", row[0], row[1], row[2], row[3]);
    }
    printf("  gradient of rows 0 to 5, no padding:   ");
    print_gradients(tokens, NO_PADDING);
    printf("  gradient of rows 0 to 5, 5 is padding: ");
    print_gradients(tokens, PADDING);
}

/* --- how large the numbers of a new table should be --- */

static double initial_loss(const float *table, size_t n_rows, size_t dim,
                           const float *hidden, size_t n) {
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
    } choices[] = {{"Xavier, positions N(0, 1)", xavier, 1},
                   {"both N(0, 0.02^2)", 0.02, 0.02},
                   {"both N(0, 1)", 1, 1}};
    float *normal = checked_alloc(WORDS * DIM, sizeof *normal),
          *table = checked_alloc(WORDS * DIM, sizeof *table);
    float hidden[N * DIM];
    Random r = random_stream(seed, STREAM_TABLE);
    random_fill_normal(&r, normal, WORDS * DIM, 1);
    random_fill_normal(&r, hidden, N * DIM, 1);
    printf("\nInitialization of a table of %d words of %d numbers (ln %d = %.2f):\n",
           WORDS, DIM, WORDS, log_double(WORDS));
    printf("                               std  word's share of    first loss,\n");
    printf("                          of words  word + position      tied head\n");
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        double std = choices[i].std,
               squares = choices[i].std_positions * choices[i].std_positions;
        for (size_t j = 0; j < WORDS * DIM; j++) table[j] = normal[j] * (float)std;
        printf("  %-25s %6.4f         %7.3f%%        %7.2f\n", choices[i].name, std,
               100 * std * std / (std * std + squares),
               initial_loss(table, WORDS, DIM, hidden, N));
    }
    free(normal);
    free(table);
}

/* --- in two pieces and behind padding a sentence keeps its positions --- */

enum { PIECES_WORDS = 12, PIECES_MAX = 16, PIECES_DIM = 8, WHOLE = 7, PIECE = 4 };

/* The largest difference between the rows of `ids` and those of positions 0, 1, 2 ...,
 * looked up from position `start` on. */
static double moved_by(const float *table, const int *ids, size_t n, size_t start) {
    float got[PIECES_MAX * PIECES_DIM];
    embedding_forward(got, table, ids, n, PIECES_DIM);
    return largest_difference(got, table + start * PIECES_DIM, n * PIECES_DIM);
}

static void print_moved(const char *what, float tables[2][PIECES_MAX * PIECES_DIM],
                        const int *ids, size_t n, size_t start) {
    printf("  %-40s", what);
    for (size_t kind = 0; kind < 2; kind++)
        printf(" %10.4f", moved_by(tables[kind], ids, n, start));
    printf("\n");
}

static void show_pieces(uint64_t seed) {
    enum { PAD = PIECES_WORDS - 1, IN_FRONT = 2, PADDED = IN_FRONT + WHOLE };
    static const int sentence[WHOLE] = {5, 2, 7, 7, 1, 0, 9};
    static float tables[2][PIECES_MAX * PIECES_DIM];
    Random random = random_create(seed);
    int padded[PADDED] = {PAD, PAD}, ids[PADDED];
    const size_t first = PIECE;
    for (size_t i = 0; i < WHOLE; i++) padded[IN_FRONT + i] = sentence[i];
    random_fill_normal(&random, tables[0], PIECES_MAX * PIECES_DIM, 0.02f);
    sinusoidal_table(tables[1], PIECES_MAX, PIECES_DIM);
    printf("\nA sentence of %d words, not all at once: how far its vectors of position "
           "are from the right ones\n",
           WHOLE);
    printf("  %-40s %10s %10s\n", "", "learned", "sinusoidal");
    position_ids(ids, NULL, 1, WHOLE - PIECE);
    print_moved("words 4 to 6, counted from 0", tables, ids, WHOLE - PIECE, PIECE);
    word_positions(ids, sentence + PIECE, &first, 1, WHOLE - PIECE, PAD);
    print_moved("words 4 to 6, behind 4 others", tables, ids, WHOLE - PIECE, PIECE);
    position_ids(ids, NULL, 1, PADDED);
    print_moved("behind 2 of padding, columns counted", tables, ids + IN_FRONT, WHOLE,
                0);
    word_positions(ids, padded, NULL, 1, PADDED, PAD);
    print_moved("behind 2 of padding, words counted", tables, ids + IN_FRONT, WHOLE, 0);
}

static void demo(const Settings *settings) {
    show_order(settings->seed);
    show_lookup(settings->seed);
    show_lengths();
    show_initialization(settings->seed);
    show_pieces(settings->seed);
    show_similarity();
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"last-word", OPTION_SIZE, &last_word,
         "the last word of the longest sentence; the table has 0 to 5", 0, 1e6},
        {0}};
    static const Experiment experiments[] = {
        {"order", "a task that cannot be learned without positions", experiment_order},
        {"lengths", "sentences of different lengths in one batch, and their padding",
         experiment_lengths},
        {"initialization", "a table's first numbers: Xavier's, GPT-2's, N(0, 1)",
         experiment_initialization},
        {"position-similarity",
         "cosines between sinusoidal and between learned positions",
         experiment_position_similarity},
        {"extrapolation", "positions past the length they were trained with",
         experiment_extrapolation},
        {"tying", "one table for reading and writing, or two: loss and parameters",
         experiment_tying},
        {"word-vectors", "cosines between learned words, of one class and of two",
         experiment_word_vectors},
        {"rare-word", "how far AdamW moves the row of a word that occurs once",
         experiment_rare_word},
        {0},
    };
    static const Experiment timed[] = {
        {"vocabulary",
         "the time of a lookup and of the optimizer against the vocabulary",
         experiment_vocabulary},
        {0},
    };
    return program_run(argc, argv,
                       &(Program){.name = "06-embeddings",
                                  .summary = "tokens and positions become vectors",
                                  .example = "--experiment order",
                                  .options = {options},
                                  .experiments = experiments,
                                  .timed = timed,
                                  .demo = demo});
}

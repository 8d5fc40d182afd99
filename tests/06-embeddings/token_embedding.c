/* Tests of exercise 06/token_embedding: lookups,
 * gradients of rows that occur several times or not at all, padding. */
#include "06-embeddings/embedding.h"
#include "06-embeddings/embedding_layer.h"

#include <stdlib.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/golden.h"
#include "tensor/gradcheck.h"
#include "base/memory.h"
#include "weights/params.h"

static double *doubles(size_t n) {
    return checked_alloc(n, sizeof(double));
}

/* See known.h. table and dout may be NULL. */
static void know_pass(const float *table, const float *dout, const int *tokens,
                      size_t n, size_t n_rows, size_t dim, int padding) {
    float *is_token = checked_alloc(n * n_rows, sizeof *is_token);
    for (size_t i = 0; i < n; i++)
        is_token[i * n_rows + (size_t)tokens[i]] = tokens[i] != padding;
    AXES({"place", "n", n}, {"row", "n_rows", n_rows}, {"column", "dim", dim});
    know_shape("out", "place column");
    know_shape("dtable", "row column");
    KNOW(table, "row column");
    KNOW(dout, "place column");
    KNOW(is_token, "place row");
}

Test(token_embedding, forward_small, .timeout = 10) {
    enum { N = 3, DIM = 2 };
    const int tokens[N] = {2, 0, 3};
    float *out = nan_floats(N * DIM), *table = nan_floats(4 * DIM);
    for (size_t i = 0; i < 4 * DIM; i++) table[i] = (float)(i / DIM * 10 + i % DIM);
    embedding_forward(out, table, tokens, N, DIM);
    know_pass(table, NULL, tokens, N, 4, DIM, NO_PADDING);
    CHECK_CLOSE("out", out, ((double[]){20, 21, 0, 1, 30, 31}), N * DIM, 1e-7,
                {"row i of the table is copied instead of row tokens[i]",
                 (double[]){0, 1, 10, 11, 20, 21}},
                {"a row starts at table + tokens[i]: multiply by dim",
                 (double[]){10, 11, 0, 1, 11, 20}});
}

/* The mistakes of the backward pass, as variations of a plain version in double. */
typedef enum {
    RIGHT,
    LAST_ONLY, /* = instead of +=: one occurrence counts, and what was there before is
                  lost */
    ROW_I,     /* row i instead of row tokens[i] */
    NO_PADDING_RULE,
    PLACE_IS_PADDING, /* the place i is compared with padding, not its token */
    STOPS_AT_PADDING, /* what stands behind the first padding is lost */
    ALWAYS_SKIPS_0,
    WHOLE_BLOCKS, /* columns beyond the last multiple of 64 left out */
    SUBTRACTED,
    MEAN,         /* over the tokens */
    MEAN_OF_SAME, /* over the places of one token */
    CLOSED_UP,    /* the rows of dout are counted without those of padding */
} Variation;

static double *plain_backward(const float *dout, const int *tokens, size_t n,
                              size_t n_rows, size_t dim, int padding,
                              Variation variation) {
    double *dtable = doubles(n_rows * dim);
    size_t width = variation == WHOLE_BLOCKS && dim >= 64 ? dim / 64 * 64 : dim;
    double factor = variation == SUBTRACTED ? -1
                    : variation == MEAN     ? 1 / (double)n
                                            : 1;
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_padding =
            (variation == PLACE_IS_PADDING ? (int)i : tokens[i]) == padding;
        if (variation == STOPS_AT_PADDING && is_padding) break;
        if (variation != NO_PADDING_RULE && is_padding) continue;
        if (variation == ALWAYS_SKIPS_0 && tokens[i] == 0) continue;
        size_t row = variation == ROW_I ? i % n_rows : (size_t)tokens[i], same = 0;
        for (size_t j = 0; j < n; j++) same += tokens[j] == tokens[i];
        if (variation == MEAN_OF_SAME) factor = 1 / (double)same;
        if (variation != CLOSED_UP) from = i;
        for (size_t c = 0; c < width; c++) {
            double before = variation == LAST_ONLY ? -1.5 : dtable[row * dim + c];
            dtable[row * dim + c] = before + factor * (double)dout[from * dim + c];
        }
        from++;
    }
    return dtable;
}

static void check_backward(const int *tokens, size_t n, size_t n_rows, size_t dim,
                           int padding) {
    float *dout = normal_floats(n * dim, 1, 1), *dtable = ones_and_a_half(n_rows * dim);
    embedding_backward(dtable, dout, tokens, n, dim, padding);
    know_pass(NULL, dout, tokens, n, n_rows, dim, padding);
#define PLAIN(variation)                                                               \
    plain_backward(dout, tokens, n, n_rows, dim, padding, variation)
    CHECK_ADDED(
        "dtable", dtable, PLAIN(RIGHT), n_rows * dim, 1e-5,
        {"a row is overwritten (=) instead of added to (+=): the last occurrence wins",
         PLAIN(LAST_ONLY)},
        {"row i of dout goes to row i of the table instead of row tokens[i]",
         PLAIN(ROW_I)},
        {"the padding row gets a gradient", PLAIN(NO_PADDING_RULE)},
        {"padding is a token: compare tokens[i] with it, not i",
         PLAIN(PLACE_IS_PADDING)},
        {"everything behind the first padding is left out: skip it alone",
         PLAIN(STOPS_AT_PADDING)},
        {"token 0 is always taken for padding", PLAIN(ALWAYS_SKIPS_0)},
        {"the columns beyond the last full block are left out", PLAIN(WHOLE_BLOCKS)},
        {"dout is subtracted: this is the gradient, not the step against it",
         PLAIN(SUBTRACTED)},
        {"the sum is divided by the number of tokens: the loss has done that",
         PLAIN(MEAN)},
        {"the sum is divided by how often the token occurs: it is a sum",
         PLAIN(MEAN_OF_SAME)},
        {"the rows of dout are counted without those of padding: row i belongs to "
         "place i",
         PLAIN(CLOSED_UP)});
#undef PLAIN
}

/* Token 4 occurs three times, row 1 never. */
Test(token_embedding, backward_repeated_tokens, .timeout = 10) {
    check_backward((const int[]){4, 2, 4, 0, 3, 4}, 6, 6, 3, NO_PADDING);
}

Test(token_embedding, backward_padding, .timeout = 10) {
    check_backward((const int[]){1, 3, 3, 0, 2}, 5, 5, 3, 3);
}

/* Without padding, -1 must not be mistaken for a row, nor token 0 for padding. */
Test(token_embedding, backward_without_padding, .timeout = 10) {
    check_backward((const int[]){0, 1, 0}, 3, 4, 4, NO_PADDING);
}

/* Wide enough for several threads, and no multiple of a round number. */
Test(token_embedding, backward_wide, .timeout = 10) {
    enum { N = 300, ROWS = 7, DIM = 397 };
    int tokens[N];
    for (size_t i = 0; i < N; i++) tokens[i] = (int)(i * i % ROWS);
    check_backward(tokens, N, ROWS, DIM, NO_PADDING);
}

/* GPT-2 has 50257 rows, other models more than 16 bits can count. */
Test(token_embedding, more_rows_than_16_bits_count, .timeout = 10) {
    enum { N = 4, ROWS = 70000, SHORT = 1 << 16 };
    const int tokens[N] = {SHORT + 2, 1, ROWS - 1, SHORT};
    float *table = normal_floats(ROWS, 1, 1), *out = nan_floats(N);
    double right[N], wrapped[N];
    for (size_t i = 0; i < N; i++) {
        right[i] = (double)table[tokens[i]];
        wrapped[i] = (double)table[tokens[i] % SHORT];
    }
    embedding_forward(out, table, tokens, N, 1);
    CHECK_CLOSE("out", out, right, N, 1e-7,
                {"a token is kept in 16 bits: a table may have more rows", wrapped});

    float *dout = normal_floats(N, 1, 2), *dtable = ones_and_a_half(ROWS);
    double *added = doubles(ROWS), *added_wrapped = doubles(ROWS);
    for (size_t i = 0; i < N; i++) {
        added[tokens[i]] += (double)dout[i];
        added_wrapped[tokens[i] % SHORT] += (double)dout[i];
    }
    embedding_backward(dtable, dout, tokens, N, 1, NO_PADDING);
    CHECK_ADDED(
        "dtable", dtable, added, ROWS, 1e-5,
        {"a token is kept in 16 bits: a table may have more rows", added_wrapped});
}

static const char *const cases[] = {"plain", "offset", "padding"};

/* Positions of the golden cases: pos0, pos0 + 1 ... in every row of the batch. */
static int *golden_positions(const char *name, size_t n) {
    size_t shape[SAFETENSORS_MAX_NDIM];
    golden_shape("embedding", name, "tokens", shape);
    int *ids = checked_alloc(n, sizeof *ids),
        first = (int)golden_attr("embedding", name, "pos0");
    for (size_t i = 0; i < n; i++) ids[i] = first + (int)(i % shape[1]);
    return ids;
}

Test(token_embedding, forward_equals_pytorch, .timeout = 10) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t n, size;
        int *tokens = golden_int("embedding", cases[c], "tokens", &n);
        const double *y = golden("embedding", cases[c], "y", &size);
        float *words = nan_floats(size), *places = nan_floats(size);
        embedding_forward(words, golden_float("embedding", cases[c], "wte", NULL),
                          tokens, n, size / n);
        embedding_forward(places, golden_float("embedding", cases[c], "wpe", NULL),
                          golden_positions(cases[c], n), n, size / n);
        for (size_t i = 0; i < size; i++) words[i] += places[i];
        CHECK_CLOSE("tokens + positions", words, y, size, 1e-6);
    }
}

Test(token_embedding, backward_equals_pytorch, .timeout = 10) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t n, size, n_wte, n_wpe;
        int *tokens = golden_int("embedding", cases[c], "tokens", &n);
        float *dy = golden_float("embedding", cases[c], "dy", &size);
        const double *dwte = golden("embedding", cases[c], "dwte", &n_wte);
        const double *dwpe = golden("embedding", cases[c], "dwpe", &n_wpe);
        float *words = ones_and_a_half(n_wte), *places = ones_and_a_half(n_wpe);
        int padding = (int)golden_attr("embedding", cases[c], "padding_idx");
        embedding_backward(words, dy, tokens, n, size / n, padding);
        embedding_backward(places, dy, golden_positions(cases[c], n), n, size / n,
                           NO_PADDING);
        CHECK_ADDED("dwte", words, dwte, n_wte, 1e-5);
        CHECK_ADDED("dwpe", places, dwpe, n_wpe, 1e-5);
    }
}

/* The layer: its gradient against differences of a plain forward pass. */
enum { ROWS = 5, DIM = 3, N = 8 };
static const int layer_tokens[N] = {0, 4, 4, 1, 2, 4, 1, 0};

static double plain_loss(const double *table, size_t n, void *context) {
    (void)n;
    const float *weights = context;
    double loss = 0;
    for (size_t i = 0; i < N * DIM; i++) {
        double x = table[(size_t)layer_tokens[i / DIM] * DIM + i % DIM];
        loss += (double)weights[i] * x;
    }
    return loss;
}

Test(token_embedding, layer_gradient, .timeout = 10) {
    Tape t = tape_create(1);
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *table = params_add(&params, 2, (size_t[]){ROWS, DIM}, "wte.weight");
    Random r = random_create(2);
    random_fill_normal(&r, table->data, ROWS * DIM, 1);
    float *weights = normal_floats(N * DIM, 1, 3);
    Tensor *out = embedding(&t, table, layer_tokens, 2, (size_t[]){2, 4}, NO_PADDING);
    CHECK(out->ndim == 3 && out->shape[0] == 2 && out->shape[1] == 4 &&
              out->shape[2] == DIM,
          "the layer's output is not [2, 4, 3]");
    tape_backward(&t, tape_weighted_sum(&t, out, weights));

    double *expected = doubles(ROWS * DIM);
    numeric_gradient(expected, plain_loss, as_double(table->data, ROWS * DIM),
                     ROWS * DIM, 1e-3, weights);
    CHECK_CLOSE("dtable", table->grad, expected, ROWS * DIM, 1e-5);
}

static void look_up(void *tokens) {
    Tape t = tape_create(1);
    float data[14] = {0};
    Tensor *table = tape_input(&t, 2, (size_t[]){7, 2}, data);
    embedding(&t, table, tokens, 2, (size_t[]){2, 3}, NO_PADDING);
}

Test(token_embedding, layer_refuses_a_token_out_of_range, .timeout = 10) {
    expect_exit(0, "", look_up, (int[]){0, 1, 2, 3, 4, 6});
    expect_exit(EXIT_INPUT, "token 7 in row 1, place 2, expected 0 to 6", look_up,
                (int[]){0, 1, 2, 3, 4, 7});
    expect_exit(EXIT_INPUT, "token -1 in row 0, place 1", look_up,
                (int[]){0, -1, 2, 3, 4, 6});
}

/* Many tokens, and wide rows. */
Test(token_embedding, thousands, .timeout = 10) {
    enum { MANY = 5003, WIDTH = 5003 };
    float *table = normal_floats(ROWS * WIDTH, 1, 4), *out = nan_floats(2 * WIDTH),
          *thin = nan_floats(MANY);
    int tokens[MANY];
    for (size_t i = 0; i < MANY; i++) tokens[i] = (int)(i * i % ROWS);
    double *rows = as_double(table, 2 * WIDTH), *column = doubles(MANY);
    for (size_t i = 0; i < MANY; i++) column[i] = (double)table[tokens[i]];
    embedding_forward(out, table, (int[]){0, 1}, 2, WIDTH);
    embedding_forward(thin, table, tokens, MANY, 1);
    CHECK_CLOSE("two wide rows", out, rows, 2 * WIDTH, 1e-7);
    CHECK_CLOSE("many rows of one number", thin, column, MANY, 1e-7);
    check_backward(tokens, MANY, ROWS, 3, NO_PADDING);
    check_backward((const int[]){1, 3, 1}, 3, ROWS, WIDTH, NO_PADDING);
}

/* Token 0 is padding only where the argument says so; and where it says 0, it is. */
Test(token_embedding, backward_padding_with_token_0, .timeout = 10) {
    check_backward((const int[]){0, 1, 0, 2}, 4, 4, 3, 2);
    check_backward((const int[]){0, 1, 0, 2}, 4, 4, 3, 0);
}

/* Tests of exercise 10/score_text: each token's loss computed again, on its own, from
 * the definition. */
#include "10-gpt2/score_text.h"

#include <math.h>

#include "check/check.h"

enum { VOCAB = 19, CONTEXT = 8, N = 61 };

typedef struct {
    Gpt2 *model;
    int *tokens; /* [n] */
    size_t n;
} Text;

static Text make_text(size_t n) {
    Gpt2Config config = gpt2_config(VOCAB, CONTEXT, 2, 2, 8);
    config.init_std = 0.5f; /* so that the context matters */
    Random init = random_create(1), random = random_create(2);
    int tokens[N];
    for (size_t i = 0; i < N; i++) tokens[i] = (int)random_below(&random, VOCAB);
    return (Text){.model = gpt2_create(&config, PARAMS_INFER, &init),
                  .tokens = guarded_copy(tokens, n, sizeof *tokens),
                  .n = n};
}

/* -ln p of tokens[target] at position `row` of a window: a pass for this row alone. */
static double loss_of(const Text *x, size_t begin, size_t row, size_t target) {
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = x->tokens + begin, .batch = 1, .length = row + 1};
    const float *logits = gpt2_logits(&t, x->model, &input)->data + row * VOCAB;
    double sum = 0;
    for (size_t v = 0; v < VOCAB; v++) sum += exp((double)logits[v]);
    double loss = log(sum) - (double)logits[x->tokens[target]];
    tape_free(&t);
    return loss;
}

/* How a window can be scored wrongly. */
typedef enum {
    RIGHT,
    EVERY_POSITION, /* also what an earlier window scored */
    FIRST_ROWS,     /* the new tokens, by the rows from the window's first on */
    TOKEN_ITSELF,   /* each row by the token that it reads */
    NO_LAST_WINDOW  /* the one that the text does not fill */
} Scoring;

static double summed(const Text *x, size_t stride, Scoring how) {
    size_t next = 1;
    double nats = 0;
    for (size_t begin = 0; next < x->n; begin += stride) {
        size_t rest = x->n - 1 - begin, length = rest < CONTEXT ? rest : CONTEXT;
        if (how == NO_LAST_WINDOW && begin && length < CONTEXT) break;
        size_t from = how == EVERY_POSITION ? begin + 1 : next;
        for (size_t at = from; at <= begin + length; at++) {
            size_t row = how == FIRST_ROWS ? at - next : at - 1 - begin;
            nats += loss_of(x, begin, row, how == TOKEN_ITSELF ? at - 1 : at);
        }
        next = begin + length + 1;
    }
    return nats;
}

static size_t windows_of(size_t n, size_t stride) {
    return n - 1 <= CONTEXT ? 1 : 1 + (n - 1 - CONTEXT + stride - 1) / stride;
}

static void check_text(size_t n, size_t stride) {
    Text x = make_text(n);
    double right = summed(&x, stride, RIGHT),
           every = summed(&x, stride, EVERY_POSITION),
           first = summed(&x, stride, FIRST_ROWS),
           itself = summed(&x, stride, TOKEN_ITSELF),
           no_last = summed(&x, stride, NO_LAST_WINDOW),
           far = summed(&x, CONTEXT, RIGHT), mean = right / (double)(n - 1);
    char what[80];
    snprintf(what, sizeof what, "nats (%zu tokens, context %d, stride %zu)", n, CONTEXT,
             stride);
    crash_means("a token behind the text's last one is read");
    Evaluation e = score_text(x.model, x.tokens, n, stride);
    CHECK_NUMBER(
        what, e.nats, right, 1e-5,
        {"a window scores all of its positions, also tokens that an earlier "
         "window has scored",
         &every},
        {"the rows from the window's beginning are scored with the new tokens: "
         "hidden needs the same offset",
         &first},
        {"each row is scored with the token that it reads, not with the next", &itself},
        {"the last window, which the text does not fill, is left out", &no_last},
        {"windows move on by the context, whatever the stride", &far},
        {"nats is the mean, where the sum is asked for", &mean});
    CHECK(e.scored == n - 1, "%zu of %zu tokens are scored, expected all but the first",
          e.scored, n);
    CHECK(e.windows == windows_of(n, stride),
          "%zu windows for %zu tokens at context %d and stride %zu, expected %zu: none "
          "without a token to score",
          e.windows, n, CONTEXT, stride, windows_of(n, stride));
    free(x.tokens);
    gpt2_free(x.model);
}

Test(score_text, one_window, .timeout = 20) {
    check_text(2, CONTEXT);
    check_text(6, CONTEXT);
    check_text(CONTEXT + 1, CONTEXT);
}

Test(score_text, windows_side_by_side, .timeout = 60) {
    check_text(2 * CONTEXT + 1, CONTEXT);
    check_text(N, CONTEXT);
}

Test(score_text, windows_that_overlap, .timeout = 60) {
    const size_t strides[] = {5, 4, 7, 2, 1};
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++)
        check_text(N, strides[i]);
}

/* One token more than windows hold, one less, and just as many. */
Test(score_text, every_length, .timeout = 60) {
    for (size_t n = 2; n < 3 * CONTEXT; n++) {
        check_text(n, 3);
        check_text(n, CONTEXT);
    }
}

/* A small stride gives every token all the context that fits. */
Test(score_text, strides_differ, .timeout = 60) {
    Text x = make_text(N);
    Evaluation far = score_text(x.model, x.tokens, N, CONTEXT),
               near = score_text(x.model, x.tokens, N, 1);
    CHECK(fabs(far.nats - near.nats) > 0.1,
          "strides 8 and 1 give the same %.3f nats: is the stride used?", far.nats);
    free(x.tokens);
    gpt2_free(x.model);
}

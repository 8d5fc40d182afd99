/* Tests of exercise 12/repetition_penalty. */
#include "12-generation/repetition_penalty.h"

#include <math.h>
#include <string.h>

#include "check/check.h"
#include "base/memory.h"

enum { MAX = 6000 };

typedef enum {
    RIGHT,
    EVERY_TIME,
    ALWAYS_DIVIDED,
    ALWAYS_MULTIPLIED,
    TURNED_ROUND,
    SUBTRACTED,
    LAST_LEFT_OUT,
    NEIGHBOURS /* only the token just before is asked whether it is the same */
} Variation;

static const double *penalized(const double *scores, size_t n, const int *context,
                               size_t n_context, double r, Variation variation) {
    double *out = checked_alloc(n, sizeof *out);
    memcpy(out, scores, n * sizeof *out);
    if (variation == LAST_LEFT_OUT && n_context) n_context--;
    for (size_t i = 0; i < n_context; i++) {
        int token = context[i];
        bool seen = false;
        size_t first = variation == NEIGHBOURS && i > 0 ? i - 1 : 0;
        for (size_t j = first; j < i; j++) seen |= context[j] == token;
        if (seen && variation != EVERY_TIME) continue;
        double s = out[token];
        bool multiply = s < 0;
        if (variation == ALWAYS_DIVIDED) multiply = false;
        if (variation == ALWAYS_MULTIPLIED) multiply = true;
        if (variation == TURNED_ROUND) multiply = !multiply;
        out[token] = variation == SUBTRACTED ? s - r : multiply ? s * r : s / r;
    }
    return out;
}

/* Of the tokens in the context, whether those on one side of 0 are all wrong, and the
 * others all right. */
static const char *wrong_signs(const double *scores, const float *got,
                               const double *right, const int *context,
                               size_t n_context) {
    size_t wrong[2] = {0}, all[2] = {0};
    for (size_t i = 0; i < n_context; i++) {
        double score = scores[context[i]];
        bool above = score > 0;
        if (score == 0 || isinf(score)) continue;
        all[above]++;
        wrong[above] +=
            fabs((double)got[context[i]] - right[context[i]]) > 1e-5 * fabs(score);
    }
    if (!all[false] || !all[true] ||
        wrong[false] + wrong[true] != (wrong[true] ? all[true] : all[false]))
        return "";
    return wrong[true] ? "; scores above 0 are wrong, those below are right"
                       : "; scores below 0 are wrong, those above are right";
}

static void check_penalty(const double *scores, size_t n, const int *tokens,
                          size_t n_context, double r) {
    double *got = guarded_copy(scores, n, sizeof *scores),
           *again = guarded_copy(scores, n, sizeof *scores);
    int *context = guarded_copy(tokens, n_context, sizeof *tokens);
    float floats[MAX];
    crash_means("something behind the last token of the context, or behind the last "
                "score, is used");
    repetition_penalty(got, context, n_context, r);
    repetition_penalty(again, context, n_context, r);
    CHECK(memcmp(again, got, n * sizeof *got) == 0,
          "the same call a second time gives other scores: something is kept from the "
          "first one, in a static "
          "array that is not cleared?");
    for (size_t i = 0; i < n; i++) floats[i] = (float)got[i];
    AXES({"token", "tokens", n}, {"place in the context", "n_context", n_context});
    KNOW_AS("the score as it was given", scores, "token");
    know_number("the penalty", r);
#define AS(variation) penalized(scores, n, context, n_context, r, variation)
    const double *right = AS(RIGHT);
    const Mistake mistakes[] = {
        {"a token is penalized once for every time it occurs", AS(EVERY_TIME)},
        {"negative scores are divided too, which makes them likelier",
         AS(ALWAYS_DIVIDED)},
        {"positive scores are multiplied too, which makes them likelier",
         AS(ALWAYS_MULTIPLIED)},
        {"positive scores are multiplied and negative ones divided: the wrong way "
         "round",
         AS(TURNED_ROUND)},
        {"the penalty is subtracted", AS(SUBTRACTED)},
        {"the last token of the context is left out", AS(LAST_LEFT_OUT)},
        {"a token that comes back after others is penalized again", AS(NEIGHBOURS)}};
#undef AS
    const char *message = compare("scores", floats, right, n, 1e-6, mistakes,
                                  sizeof mistakes / sizeof *mistakes);
    CHECK(!message, "%s%s", message,
          strstr(message, "this is what you get")
              ? ""
              : wrong_signs(scores, floats, right, context, n_context));
    free(got);
    free(again);
    free(context);
}

static const double scores[] = {2, -3, 0.5, -0.25, 4, 0};

Test(repetition_penalty, signs, .timeout = 10) {
    check_penalty(scores, 6, (int[]){0, 1, 3, 5}, 4, 2);
    check_penalty(scores, 6, (int[]){4}, 1, 1.3);
    check_penalty(scores, 6, (int[]){1}, 1, 1.3);
}

/* Token 0 three times, token 1 twice, not side by side: one penalty each. */
Test(repetition_penalty, once_for_each_token, .timeout = 10) {
    check_penalty(scores, 6, (int[]){0, 0, 1, 0, 2, 1, 0}, 7, 1.5);
    check_penalty(scores, 6, (int[]){4, 4, 4, 4}, 4, 1.5);
}

Test(repetition_penalty, below_one_rewards, .timeout = 10) {
    check_penalty(scores, 6, (int[]){0, 1, 1}, 3, 0.8);
}

Test(repetition_penalty, all_tokens_but_one, .timeout = 10) {
    check_penalty(scores, 6, (int[]){5, 4, 3, 2, 1}, 5, 1.2);
}

/* Excluded stays excluded, and no NaN comes of it. */
Test(repetition_penalty, excluded_tokens, .timeout = 10) {
    static const double with_excluded[] = {-INFINITY, 1, -INFINITY, -1};
    check_penalty(with_excluded, 4, (int[]){0, 1, 3}, 3, 1.5);
}

Test(repetition_penalty, empty_context, .timeout = 10) {
    double got[6];
    memcpy(got, scores, sizeof got);
    repetition_penalty(got, NULL, 0, 1.5);
    CHECK(memcmp(got, scores, sizeof got) == 0, "an empty context changes the scores");
}

/* Every token of a long context counts, the oldest too, and comes back thousands of
 * tokens later; some come for the first time behind thousands of others. */
Test(repetition_penalty, long_context, .timeout = 10) {
    static double many[MAX];
    static int context[MAX];
    for (int i = 0; i < MAX; i++) {
        many[i] = i % 2 ? 1 : -1;
        context[i] = i < 5600 ? (i * 7) % 5003 : context[i - 1000];
    }
    check_penalty(many, MAX, context, MAX, 1.5);
}

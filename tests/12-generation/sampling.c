/* The whole way from logits to a token against Hugging Face's
 * (tests/golden/sampling.json), and its edges. */
#include "12-generation/sampling.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "files/file.h"
#include "check/golden.h"

enum { MAX = 256, N_CASES = 42 };

static double number(const cJSON *object, const char *key) {
    return cJSON_GetObjectItem(object, key)->valuedouble;
}

static int larger_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

static void check_case(const cJSON *c) {
    const char *name = cJSON_GetObjectItem(c, "name")->valuestring;
    const cJSON *entry;
    float logits[MAX];
    double expected[MAX], got[MAX];
    int context[MAX];
    size_t n = 0, n_context = 0, m = 0, n_kept = 0;
    double tolerance = 1e-12;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(c, "logits")) {
        double exact = cJSON_IsString(entry) ? -INFINITY : entry->valuedouble;
        logits[n] = (float)exact;
        /* a few logits are no floats */
        if (isfinite(exact)) tolerance += fabs((double)logits[n] - exact);
        n++;
    }
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(c, "context")) context[n_context++] =
        entry->valueint;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(c, "probs")) expected[m++] =
        entry->valuedouble;
    CHECK(n == m, "%s: %zu logits, %zu probabilities", name, n, m);
    SamplingSettings s = {.temperature = number(c, "temperature"),
                          .top_k = (size_t)number(c, "top_k"),
                          .top_p = number(c, "top_p"),
                          .repetition_penalty = number(c, "repetition_penalty")};
    SamplingMemory memory = sampling_memory(n);
    SamplingSettings before = {
        .temperature = 2, .top_k = 2, .top_p = 0.5, .repetition_penalty = 1};
    sampling_probabilities(&memory, logits, NULL, 0, &before); /* leaves its numbers */
    memcpy(got, sampling_probabilities(&memory, logits, context, n_context, &s),
           n * sizeof *got);
    sampling_memory_free(&memory);
    bool tie = cJSON_IsTrue(cJSON_GetObjectItem(c, "tie_at_top_p_cut"));
    if (tie) { /* which of the equal tokens stays is anybody's choice */
        qsort(got, n, sizeof *got, larger_first);
        qsort(expected, n, sizeof *expected, larger_first);
    }
    for (size_t i = 0; i < n; i++) {
        CHECK(fabs(got[i] - expected[i]) <= tolerance &&
                  (got[i] > 0) == (expected[i] > 0),
              "%s: probability of token %zu: got %.15g, expected %.15g", name, i,
              got[i], expected[i]);
    }
    if (tie) return;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(c, "kept")) {
        n_kept++;
        CHECK(got[entry->valueint] > 0 || expected[entry->valueint] == 0,
              "%s: token %d is not kept", name, entry->valueint);
    }
    CHECK(n_kept > 0 && sampling_argmax(got, n) == (int)number(c, "argmax"),
          "%s: argmax %d", name, sampling_argmax(got, n));
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(c, "draws")) {
        double u = number(entry, "u");
        int token = sampling_draw(got, n, u), wanted = (int)number(entry, "token");
        CHECK(token == wanted, "%s: u = %.17g draws token %d, expected %d", name, u,
              token, wanted);
    }
}

Test(sampling, equals_hugging_face, .timeout = 10) {
    size_t size, cases = 0;
    cJSON *all = cJSON_Parse(file_read(golden_path("sampling.json"), &size));
    const cJSON *c;
    cJSON_ArrayForEach(c, all) {
        check_case(c);
        cases++;
    }
    CHECK(cases == N_CASES, "%zu cases, expected %d", cases, N_CASES);
}

Test(sampling, argmax_takes_the_first_and_no_nan, .timeout = 10) {
    CHECK(sampling_argmax((double[]){1, 3, 3, 2}, 4) == 1, "of equal ones the first");
    CHECK(sampling_argmax((double[]){NAN, 1, NAN, 2}, 4) == 3, "NaN never wins");
    CHECK(sampling_argmax((double[]){1, NAN}, 2) == 0, "NaN never wins");
    CHECK(sampling_argmax((double[]){-INFINITY, -INFINITY}, 2) == 0,
          "all excluded: the first");
}

Test(sampling, draw, .timeout = 10) {
    static const double p[] = {0, 0.25, 0, 0.75, 0};
    CHECK(sampling_draw(p, 5, 0) == 1, "u = 0 must not draw a token of probability 0");
    CHECK(sampling_draw(p, 5, 0.25) == 3, "the cumulative probability must exceed u");
    CHECK(sampling_draw(p, 5, 0.9999999) == 3, "the last possible token");
    static const double rounded[] = {0.5, 0.4999999, 0};
    CHECK(sampling_draw(rounded, 3, 0.99999999) == 1,
          "a sum below 1 must not end at a token of probability 0");
}

Test(sampling, greedy_has_the_penalty_only, .timeout = 10) {
    static const float logits[] = {2, 3, 2.9f};
    SamplingSettings s = sampling_settings();
    SamplingMemory memory = sampling_memory(3);
    s.greedy = true;
    s.repetition_penalty = 1.2;
    CHECK(sampling_next(&memory, logits, (int[]){1}, 1, &s, 0.5) == 2,
          "3 / 1.2 is less than 2.9");
    CHECK(sampling_next(&memory, logits, NULL, 0, &s, 0.5) == 1,
          "without a context the largest");
}

static void check_settings(void *s) {
    sampling_check(s);
}

Test(sampling, settings_out_of_range, .timeout = 10) {
    SamplingSettings s = sampling_settings();
    expect_exit(0, "", check_settings, &s);
    s.temperature = 0;
    expect_exit(EXIT_INPUT, "temperature 0: expected more than 0", check_settings, &s);
    s = sampling_settings();
    s.top_p = 1.5;
    expect_exit(EXIT_INPUT, "top-p 1.5", check_settings, &s);
    s.top_p = NAN;
    expect_exit(EXIT_INPUT, "top-p", check_settings, &s);
    s = sampling_settings();
    s.repetition_penalty = -1;
    expect_exit(EXIT_INPUT, "repetition penalty -1", check_settings, &s);
}

static void sample_bad_logits(void *logits) {
    SamplingMemory memory = sampling_memory(2);
    SamplingSettings s = sampling_settings();
    sampling_probabilities(&memory, logits, NULL, 0, &s);
}

static void choose_bad_logits(void *logits) {
    SamplingMemory memory = sampling_memory(2);
    SamplingSettings s = sampling_settings();
    s.greedy = true;
    sampling_next(&memory, logits, NULL, 0, &s, 0);
}

Test(sampling, bad_logits, .timeout = 10) {
    expect_exit(EXIT_INPUT, "sampling: the logit of token 0 is nan", sample_bad_logits,
                (float[]){NAN, 1});
    expect_exit(EXIT_INPUT, "sampling: the logit of token 1 is inf", sample_bad_logits,
                (float[]){0, INFINITY});
    expect_exit(EXIT_INPUT, "sampling: the logit of token 1 is nan", choose_bad_logits,
                (float[]){1, NAN});
    expect_exit(EXIT_INPUT, "sampling:", sample_bad_logits,
                (float[]){-INFINITY, -INFINITY});
    expect_exit(EXIT_INPUT, "sampling:", sample_bad_logits, (float[]){INFINITY, 1});
    expect_exit(0, "", sample_bad_logits, (float[]){-INFINITY, 1});
}

/* Tests of the statistics about time. */
#include "12-generation/latency.h"

#include <math.h>

#include "check.h"

Test(latency, quantiles, .timeout = 10) {
    double x[] = {5, 1, 4, 2, 3};
    CHECK(quantile(x, 5, 0.5) == 3, "the median of 1 to 5 is %g", quantile(x, 5, 0.5));
    CHECK(quantile(x, 5, 0.95) == 5, "of five the quantile of 0.95 is the largest, got %g",
          quantile(x, 5, 0.95));
    CHECK(quantile(x, 5, 0) == 1 && quantile(x, 5, 1) == 5, "0 is the smallest, 1 the largest");
    CHECK(quantile((double[]){2, 1}, 2, 0.5) == 1, "of two the median is the lower");
    CHECK(quantile((double[]){7}, 1, 0.95) == 7, "of one all are that one");
    CHECK(isnan(quantile(x, 0, 0.5)), "of none there is none");
    double hundred[100];
    for (int i = 0; i < 100; i++) hundred[i] = 100 - i;
    CHECK(quantile(hundred, 100, 0.95) == 95, "95 of 100 do not exceed %g", quantile(hundred, 100, 0.95));
}

Test(latency, first_and_next_tokens, .timeout = 10) {
    Latency l = {0};
    for (size_t text = 0; text < 2; text++) {
        latency_begin_text(&l);
        for (size_t i = 0; i < 3; i++) latency_token(&l);
    }
    CHECK(l.n_texts == 2 && l.n_next == 4, "2 texts of 3 tokens: %zu first tokens and %zu others", l.n_texts,
          l.n_next);
    double sum = 0;
    for (size_t i = 0; i < 2; i++) sum += l.first[i];
    for (size_t i = 0; i < 4; i++) sum += l.next[i];
    CHECK(fabs(sum - l.seconds) < 1e-9, "the parts make %g s, the whole %g s", sum, l.seconds);
    latency_free(&l);
}

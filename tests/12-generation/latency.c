/* Tests of the statistics about time. */
#include "12-generation/latency.h"

#include <math.h>

#include "check/check.h"

Test(latency, first_and_next_tokens, .timeout = 10) {
    Latency l = {0};
    for (size_t text = 0; text < 2; text++) {
        latency_begin_text(&l);
        for (size_t i = 0; i < 3; i++) latency_token(&l);
    }
    CHECK(l.n_texts == 2 && l.n_next == 4,
          "2 texts of 3 tokens: %zu first tokens and %zu others", l.n_texts, l.n_next);
    double sum = 0;
    for (size_t i = 0; i < 2; i++) sum += l.first[i];
    for (size_t i = 0; i < 4; i++) sum += l.next[i];
    CHECK(fabs(sum - l.seconds) < 1e-9, "the parts make %g s, the whole %g s", sum,
          l.seconds);
    latency_free(&l);
}

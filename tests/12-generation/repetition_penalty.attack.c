/* An attack on 12/repetition_penalty: both signs, tokens that come back at once, later
 * and last, no context, and a second call. */
#include "12-generation/repetition_penalty.h"

#include "check/check.h"

Test(attack, scores) {
    const double right[6] = {1.5, -6, 2, -2, 0.5, -2};
    for (int call = 0; call < 2; call++) {
        double scores[6] = {3, -3, 2, -2, 1, -1};
        repetition_penalty(scores, (const int[]){0, 1, 1, 0, 5, 4}, 6, 2);
        for (size_t i = 0; i < 6; i++)
            CHECK(scores[i] == right[i], "call %d: score %zu is %g, expected %g", call,
                  i, scores[i], right[i]);
        repetition_penalty(scores, NULL, 0, 2);
        for (size_t i = 0; i < 6; i++)
            CHECK(scores[i] == right[i], "no context changes score %zu", i);
    }
}

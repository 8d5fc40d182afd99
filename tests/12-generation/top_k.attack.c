/* An attack on 12/top_k: every k from 0 to more than there are, on scores of which some
 * are equal and one has more digits than a float; the scratch room behind the scores
 * holds what must not be read. */
#include "12-generation/top_k.h"

#include <math.h>

#include "check/check.h"

enum { N = 7, ROOM = 20 };

Test(attack, every_k) {
    const double scores[N] = {0.5, -5, 4, 4, 1, -2.1, 4};
    for (size_t k = 0; k < ROOM; k++) {
        double got[N], scratch[ROOM];
        for (size_t i = 0; i < ROOM; i++) scratch[i] = INFINITY;
        for (size_t i = 0; i < N; i++) got[i] = scores[i];
        top_k(got, scratch, N, k);
        for (size_t i = 0; i < N; i++) {
            size_t larger = 0;
            for (size_t j = 0; j < N; j++) larger += scores[j] > scores[i];
            double right = k == 0 || larger < k ? scores[i] : -INFINITY;
            CHECK(got[i] == right, "k = %zu: score %zu is %g, expected %g", k, i,
                  got[i], right);
        }
    }
}

/* Tests of 14/theory: the formulas by numbers known from elsewhere.
 * tests/14-compression/codecs.c holds the codecs beside them. */
#include "14-compression/theory.h"

#include <math.h>
#include <stdlib.h>

#include "check/check.h"

/* By hand: half of all normal numbers are beyond 0.67449, where the density is 0.31777;
 * of those beyond 1.64485 (a tenth) it is 0.10314. */
Test(theory, top_share, .timeout = 10) {
    CHECK_NUMBER("half kept", top_share_error(0.5), sqrt(0.5 - 2 * 0.67449 * 0.31777),
                 1e-4);
    CHECK_NUMBER("a tenth kept", top_share_error(0.1),
                 sqrt(0.9 - 2 * 1.64485 * 0.10314), 1e-4);
    CHECK_NUMBER("nothing kept", top_share_error(0), 1, 1e-6);
    CHECK(top_share_error(1) < 1e-6, "all kept: %g", top_share_error(1));
    for (double f = 0.02; f < 1; f += 0.02)
        CHECK(top_share_error(f) < top_share_error(f - 0.02),
              "more is kept at %g, and the error is not smaller", f);
}

/* By hand: the mean square of the larger of two normal numbers is 1 + 2 / pi. */
Test(theory, groups, .timeout = 10) {
    CHECK(group_error(1) == 0, "one weight: %g, but it is its own scale",
          group_error(1));
    CHECK_NUMBER("two", group_error(2), sqrt((1 + 2 / 3.14159265) / 768 / 2), 1e-4);
}

Test(theory, bound, .timeout = 10) {
    CHECK_NUMBER("no bits", rate_bound(0), 1, 1e-6);
    CHECK_NUMBER("2.5 bits", rate_bound(2.5), 0.1767767, 1e-6);
}

/* White noise has no gain beside what 64 numbers scatter; tiles of different sizes have
 * none either, though their coefficients differ; a smooth surface has much. */
Test(theory, gain_of_the_transform, .timeout = 30) {
    enum { SIZE = 256 };
    float *w = normal_floats(SIZE * SIZE, 1, 6);
    double white = coding_gain(w, SIZE, SIZE), scatter = 0.7213 / 64;
    CHECK(fabs(white - scatter) < 0.002,
          "white noise: %.4f bits a weight, expected %.4f", white, scatter);
    for (size_t i = 0; i < SIZE * SIZE; i++)
        w[i] *= (float)(1 << (i / SIZE / 32 % 2 * 3));
    double scaled = coding_gain(w, SIZE, SIZE);
    CHECK(fabs(scaled - scatter) < 0.02,
          "tiles of another size: %.4f bits a weight, though each is white", scaled);
    for (size_t i = 0; i < SIZE * SIZE; i++)
        w[i] = 0.01f * w[i] +
               (float)(sin((double)(i / SIZE) / 40) * cos((double)(i % SIZE) / 30));
    CHECK(coding_gain(w, SIZE, SIZE) > 2 * scaled,
          "a smooth surface: %.4f bits a weight", coding_gain(w, SIZE, SIZE));
    CHECK(isnan(coding_gain(w, 31, SIZE)), "without a whole tile: %g",
          coding_gain(w, 31, SIZE));
    free(w);
}

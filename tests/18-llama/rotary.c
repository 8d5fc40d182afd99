/* Tests of rotary frequencies and what stretches them. */
#include "18-llama/rotary.h"

#include <math.h>
#include <string.h>

#include "check/check.h"

enum { PAIRS = 8 };

static Rotary of_base(float base) {
    BlockConfig block = block_config_gpt2(2 * PAIRS, 1);
    rotary_set(&block, base);
    return block.rotary;
}

/* Slow pairs turn 8 times slower, fast ones as before, the one between in between. */
Test(rotary, scaling_of_llama_3, .timeout = 10) {
    Rotary before = of_base(500000), after = before;
    rotary_scale(&after, 8, 1, 4, 64);
    for (size_t i = 0; i < PAIRS; i++) {
        double f = (double)before.frequencies[i], wavelength = 2 * acos(-1) / f, right;
        if (wavelength < 64.0 / 4) {
            right = f;
        } else if (wavelength > 64.0) {
            right = f / 8;
        } else {
            double s = (64 / wavelength - 1) / 3;
            right = (1 - s) * f / 8 + s * f;
        }
        CHECK_NUMBER("frequency", after.frequencies[i], right, 1e-6);
    }
}

Test(rotary, interpolation, .timeout = 10) {
    Rotary before = of_base(10000), after = before;
    rotary_interpolate(&after, 3);
    for (size_t i = 0; i < PAIRS; i++)
        CHECK_NUMBER("frequency", after.frequencies[i],
                     (double)before.frequencies[i] / 3, 1e-6);
    CHECK(after.factor == 3 && after.high == 0, "factor %g, high %g",
          (double)after.factor, (double)after.high);
}

/* --- from a table of divisors --- */

static void divisors_of(float *divisors, const Rotary *plain, const Rotary *scaled) {
    for (size_t i = 0; i < PAIRS; i++)
        divisors[i] = plain->frequencies[i] / scaled->frequencies[i];
}

static void check_divided(const Rotary *plain, const Rotary *right) {
    float divisors[PAIRS];
    divisors_of(divisors, plain, right);
    Rotary got = *plain;
    rotary_divide(&got, divisors);
    for (size_t i = 0; i < PAIRS; i++)
        CHECK_NUMBER("frequency", got.frequencies[i], (double)right->frequencies[i],
                     1e-6);
    CHECK(got.factor == right->factor && got.low == right->low &&
              got.high == right->high &&
              got.original_context == right->original_context,
          "factor %g, low %g, high %g, context %zu; expected %g, %g, %g, %zu",
          (double)got.factor, (double)got.low, (double)got.high, got.original_context,
          (double)right->factor, (double)right->low, (double)right->high,
          right->original_context);
}

/* The published settings, of 8B and of 1B, are found again in their table. */
Test(rotary, divisors_of_llama_3, .timeout = 10) {
    Rotary plain = of_base(500000);
    for (float factor = 8; factor <= 32; factor *= 4) {
        Rotary scaled = plain;
        rotary_scale(&scaled, factor, 1, 4, 8192);
        check_divided(&plain, &scaled);
    }
}

Test(rotary, divisors_that_are_all_one_number, .timeout = 10) {
    Rotary plain = of_base(10000), scaled = plain;
    rotary_interpolate(&scaled, 4);
    check_divided(&plain, &scaled);
    check_divided(&plain, &plain);
}

/* A table of neither kind is used as it is, and no name is made up for it. */
Test(rotary, divisors_of_no_known_kind, .timeout = 10) {
    float divisors[PAIRS];
    Rotary plain = of_base(10000), got = plain;
    for (size_t i = 0; i < PAIRS; i++) divisors[i] = 1 + 0.3f * (float)i;
    rotary_divide(&got, divisors);
    for (size_t i = 0; i < PAIRS; i++)
        CHECK_NUMBER("frequency", got.frequencies[i],
                     (double)plain.frequencies[i] / (double)divisors[i], 1e-6);
    CHECK(got.factor == 0, "factor %g, expected none", (double)got.factor);
}

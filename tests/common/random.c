/* Tests of common/random: the published vectors of Philox, the distributions, and that
 * streams repeat. */
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"

/* From kat_vectors of Random123, the authors' implementation. */
Test(random, published_vectors_of_philox4x32_10, .timeout = 10) {
    static const uint32_t vectors[][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
         0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
         0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        uint32_t out[4];
        philox4x32(out, vectors[v], vectors[v] + 4);
        for (size_t i = 0; i < 4; i++) {
            CHECK(out[i] == vectors[v][6 + i],
                  "vector %zu, word %zu: %08x, expected %08x", v, i, out[i],
                  vectors[v][6 + i]);
        }
    }
}

/* The counter is (index / 4, stream), the key is the seed. */
Test(random, numbers_are_the_blocks_in_order, .timeout = 10) {
    Random r = random_stream(0x0123456789abcdef, 0xfedcba9876543210);
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t out[4];
        philox4x32(out, (uint32_t[]){i / 4, 0, 0x76543210, 0xfedcba98},
                   (uint32_t[]){0x89abcdef, 0x01234567});
        CHECK(random_at(&r, i) == out[i % 4], "number %u is not word %u of block %u", i,
              i % 4, i / 4);
        CHECK(random_u32(&r) == out[i % 4],
              "number %u of the sequence is not random_at(%u)", i, i);
    }
    cr_assert_eq(r.next, 100);
    uint32_t far[4];
    philox4x32(far, (uint32_t[]){7, 1, 0x76543210, 0xfedcba98},
               (uint32_t[]){0x89abcdef, 0x01234567});
    CHECK(random_at(&r, 4 * 0x100000007ull) == far[0],
          "an index above 2^34 does not reach the second word of the counter");
}

Test(random, floats_are_those_of_random_float, .timeout = 10) {
    Random r = random_stream(0x0123456789abcdef, 0xfedcba9876543210);
    static const uint64_t starts[] = {0, 1, 2, 3, 125, 128, 4 * 0x100000000ull - 9};
    static const size_t lengths[] = {0, 1, 3, 4, 127, 128, 129, 500};
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            float out[501];
            out[lengths[l]] = 12345;
            random_floats(out, &r, starts[s], lengths[l]);
            Random one_by_one = r;
            one_by_one.next = starts[s];
            for (size_t i = 0; i < lengths[l]; i++) {
                float expected = random_float(&one_by_one);
                CHECK(out[i] == expected,
                      "number %zu of %zu from %llu is %.9g, expected %.9g", i,
                      lengths[l], (unsigned long long)starts[s], (double)out[i],
                      (double)expected);
            }
            CHECK(out[lengths[l]] == 12345, "%zu numbers: one more is written",
                  lengths[l]);
        }
    }
    cr_assert_eq(r.next, 0);
}

enum { MANY = 1000000 };

/* The mean of x^power over a sample and its exact value, with five standard errors of
 * room. */
static void check_moment(const double *x, int power, double exact, double deviation) {
    double sum = 0;
    for (size_t i = 0; i < MANY; i++) sum += pow(x[i], power);
    double room = 5 * deviation / sqrt(MANY);
    CHECK(fabs(sum / MANY - exact) < room,
          "the mean of x^%d is %.5f, expected %.5f +- %.5f", power, sum / MANY, exact,
          room);
}

/* Neighbours are unrelated: the mean of x[i] x[i + step] of numbers with mean 0 and
 * variance 1. */
static void check_correlation(const double *x, size_t step) {
    double sum = 0;
    for (size_t i = 0; i + step < MANY; i++) sum += x[i] * x[i + step];
    CHECK(fabs(sum / MANY) < 5 / sqrt(MANY),
          "numbers %zu apart have a correlation of %.5f", step, sum / MANY);
}

Test(random, normal_numbers, .timeout = 60) {
    double *x = malloc(MANY * sizeof *x);
    Random r = random_create(1);
    for (size_t i = 0; i < MANY; i++) x[i] = random_normal(&r);
    check_moment(x, 1, 0, 1);
    check_moment(x, 2, 1, sqrt(2));
    check_moment(x, 3, 0, sqrt(15));
    check_moment(x, 4, 3, sqrt(96));
    for (size_t step = 1; step < 5; step++) check_correlation(x, step);
    size_t outside[3] = {0};
    for (size_t i = 0; i < MANY; i++) {
        for (size_t s = 0; s < 3; s++) outside[s] += fabs(x[i]) > (double)(s + 1);
    }
    for (size_t s = 0; s < 3; s++) {
        double share = erfc((double)(s + 1) / sqrt(2)), room = 5 * sqrt(share / MANY);
        CHECK(fabs((double)outside[s] / MANY - share) < room,
              "a share of %.5f lies beyond %zu deviations, expected %.5f",
              (double)outside[s] / MANY, s + 1, share);
    }
    free(x);
}

Test(random, uniform_numbers, .timeout = 60) {
    double *x = malloc(MANY * sizeof *x), *y = malloc(MANY * sizeof *y);
    Random r = random_create(2);
    for (size_t i = 0; i < MANY; i++) {
        float f = random_float(&r);
        double d = random_double(&r);
        CHECK(f >= 0 && f < 1 && d >= 0 && d < 1, "%g or %g lies outside [0, 1)",
              (double)f, d);
        CHECK(f * 0x1p24f == floorf(f * 0x1p24f), "%a is no multiple of 2^-24",
              (double)f);
        x[i] = ((double)f - 0.5) * sqrt(12);
        y[i] = (d - 0.5) * sqrt(12);
    }
    check_moment(x, 1, 0, 1);
    check_moment(y, 1, 0, 1);
    check_moment(x, 2, 1, sqrt(0.8));
    check_moment(y, 2, 1, sqrt(0.8));
    for (size_t step = 1; step < 5; step++) {
        check_correlation(x, step);
        check_correlation(y, step);
    }
    bool fine = false;
    for (size_t i = 0; i < MANY; i++)
        fine |= fmod((y[i] / sqrt(12) + 0.5) * 0x1p33, 1) != 0;
    CHECK(fine, "random_double gives multiples of 2^-33 only, not 53 bits");
    free(x);
    free(y);
}

/* Chi-square with n - 1 degrees of freedom stays below mean + 5 deviations. */
Test(random, below_n_is_even, .timeout = 60) {
    static const uint32_t sizes[] = {1, 2, 3, 7, 10, 100};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint32_t n = sizes[s];
        size_t counts[100] = {0};
        Random r = random_create(s);
        for (size_t i = 0; i < MANY / 10; i++) {
            uint32_t x = random_below(&r, n);
            CHECK(x < n, "random_below(%u) gave %u", n, x);
            counts[x]++;
        }
        double expected = MANY / 10.0 / n, chi_square = 0;
        for (uint32_t x = 0; x < n; x++)
            chi_square += ((double)counts[x] - expected) *
                          ((double)counts[x] - expected) / expected;
        CHECK(chi_square < n - 1 + 5 * sqrt(2.0 * (n - 1)) + 1e-9,
              "random_below(%u): chi-square is %.1f", n, chi_square);
    }
}

/* 2^32 is four thirds of 3 * 2^30:
 * a plain remainder would give the first third twice as often as the others. */
Test(random, below_a_large_n_has_no_bias, .timeout = 60) {
    Random r = random_create(5);
    size_t first = 0;
    for (size_t i = 0; i < MANY; i++) first += random_below(&r, 3u << 30) < 1u << 30;
    CHECK(fabs((double)first / MANY - 1.0 / 3) < 0.003,
          "a share of %.4f lies in the first third", (double)first / MANY);
}

Test(random, a_seed_repeats_and_another_seed_or_stream_does_not, .timeout = 10) {
    Random first = random_create(3), again = random_create(3), seed = random_create(4),
           stream = random_stream(3, 1);
    size_t same_seed = 0, same_stream = 0;
    for (size_t i = 0; i < 10000; i++) {
        uint32_t x = random_u32(&first);
        CHECK(x == random_u32(&again), "number %zu differs in a second run", i);
        same_seed += x == random_u32(&seed);
        same_stream += x == random_u32(&stream);
    }
    CHECK(same_seed < 3 && same_stream < 3,
          "seeds share %zu and streams %zu of 10000 numbers", same_seed, same_stream);
}

Test(random, streams_are_unrelated, .timeout = 60) {
    Random a = random_stream(7, 0), b = random_stream(7, 1), c = random_stream(8, 0);
    double ab = 0, ac = 0;
    for (size_t i = 0; i < MANY; i++) {
        double x = random_normal(&a);
        ab += x * random_normal(&b);
        ac += x * random_normal(&c);
    }
    CHECK(fabs(ab / MANY) < 5 / sqrt(MANY),
          "streams 0 and 1 have a correlation of %.5f", ab / MANY);
    CHECK(fabs(ac / MANY) < 5 / sqrt(MANY), "seeds 7 and 8 have a correlation of %.5f",
          ac / MANY);
}

/* Many at a time, from any number of the stream on, are the numbers one by one. */
Test(random, fills, .timeout = 60) {
    enum { MOST = 1000 };
    const size_t lengths[] = {1, 63, 256, 257, MOST};
    float x[MOST + 1];
    Random r = random_create(6), same = random_create(6);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        size_t n = lengths[l];
        x[n] = 123;
        random_fill_normal(&r, x, n, 0.02f);
        for (size_t i = 0; i < n; i++) {
            float expected = (float)(0.02f * random_normal(&same));
            CHECK(x[i] == expected, "x[%zu] of %zu is %g, expected %g", i, n,
                  (double)x[i], (double)expected);
        }
        CHECK(x[n] == 123, "a float beyond the end is written");
        CHECK(random_u32(&r) == random_u32(&same), "another number is the next one");
    }
}

/* Normal numbers go through log, sqrt and cos: this is where machines could differ. */
Test(random, the_same_bits_everywhere, .timeout = 60) {
    Random r = random_create(42);
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < 100000; i++) {
        double x = random_normal(&r);
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    const uint64_t expected = 0x5a30bbec81c527a2;
    CHECK(hash == expected,
          "hash %#llx, expected %#llx: normal numbers differ on this machine",
          (unsigned long long)hash, (unsigned long long)expected);
}

/* Tests of the language of classes: its floor is the loss of a model that knows all of
 * it. */
#include "06-embeddings/experiments/class_language.h"

#include <math.h>
#include <stdlib.h>

#include "check/check.h"
#include "base/memory.h"

Test(class_language, shares_add_up_to_one, .timeout = 10) {
    ClassLanguage l = class_language_create(1);
    double ranks = 0;
    for (size_t i = 0; i < CLASS_WORDS; i++) ranks += l.ranks[i];
    CHECK(fabs(ranks - 1) < 1e-12, "the words of a class have %.15g together", ranks);
    for (size_t a = 0; a < CLASSES; a++) {
        double sum = 0;
        for (size_t b = 0; b < CLASSES; b++) sum += l.follows[a][b];
        CHECK(fabs(sum - 1) < 1e-12, "what follows class %zu has %.15g together", a,
              sum);
    }
}

/* -ln p of a long text, a pair, estimates the floor: within 4 standard errors. */
Test(class_language, floor_is_the_cost_of_a_text, .timeout = 30) {
    enum { N = 400000 };
    int *words = checked_alloc(N, sizeof *words),
        *next = checked_alloc(N, sizeof *next);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        ClassLanguage l = class_language_create(seed);
        Random r = random_create(seed);
        class_language_pairs(words, next, N, &l, &r);
        double sum = 0, squares = 0;
        for (size_t i = 0; i < N; i++) {
            size_t class = (size_t)next[i] % CLASSES, rank = (size_t)next[i] / CLASSES;
            double p = l.follows[(size_t)words[i] % CLASSES][class] * l.ranks[rank];
            sum -= log(p);
            squares += log(p) * log(p);
            CHECK(i == 0 || words[i] == next[i - 1],
                  "pair %zu does not begin where the one before ends", i);
        }
        double mean = sum / N, error = sqrt((squares / N - mean * mean) / N),
               floor = class_language_floor(&l);
        CHECK(fabs(mean - floor) < 4 * error,
              "seed %d: a text costs %.4f nats a word, the floor is %.4f", (int)seed,
              mean, floor);
    }
    free(words);
    free(next);
}

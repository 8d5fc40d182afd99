/* Judge of open problem 16/whole_parameters: models of random shapes, at 4 to 16
 * ranks. */
#include "16-data-parallel/problems/whole_parameters.h"

#include "base/error.h"
#include "math/fit.h"
#include "program/problem.h"
#include "math/random.h"

enum { MOST = 400, MODELS = 20, IN_A_BLOCK = 12 };

/* The parameters of a GPT-2, in the order in which it registers them. */
static size_t random_model(Random *r, size_t sizes[MOST]) {
    size_t layers = 6 + random_below(r, 26), d = 64 * (4 + random_below(r, 20)), n = 0;
    const size_t block[IN_A_BLOCK] = {d, d, 3 * d * d, 3 * d, d * d,     d,
                                      d, d, 4 * d * d, 4 * d, 4 * d * d, d};
    sizes[n++] = (2000 + random_below(r, 8000)) * d;
    sizes[n++] = 1024 * d;
    for (size_t l = 0; l < layers; l++)
        for (size_t i = 0; i < IN_A_BLOCK; i++) sizes[n++] = block[i];
    sizes[n++] = d;
    sizes[n++] = d;
    return n;
}

static double largest_share(const size_t *sizes, size_t n, size_t n_ranks) {
    size_t owner[MOST], shares[16] = {0}, all = 0, largest = 0, most = 0;
    for (size_t i = 0; i < n; i++) owner[i] = n_ranks;
    whole_parameters(owner, sizes, n, n_ranks);
    for (size_t i = 0; i < n; i++) {
        if (owner[i] >= n_ranks)
            die("parameter %zu belongs to rank %zu, expected one of %zu ranks", i,
                owner[i], n_ranks);
        shares[owner[i]] += sizes[i];
        all += sizes[i];
        if (sizes[i] > largest) largest = sizes[i];
    }
    for (size_t r = 0; r < n_ranks; r++)
        if (shares[r] > most) most = shares[r];
    return (double)most / larger((double)all / (double)n_ranks, (double)largest);
}

/* The worst of the models of a seed. */
static double measure(uint64_t seed) {
    Random r = random_create(seed);
    double worst = 0;
    for (size_t k = 0; k < MODELS; k++) {
        size_t sizes[MOST], n = random_model(&r, sizes);
        worst = larger(worst, largest_share(sizes, n, 4 + random_below(&r, 13)));
    }
    return worst;
}

static void judge(const Settings *settings) {
    double worst[PROBLEM_SEEDS];
    problem_measure(worst, settings, measure,
                    "the largest share is %.3f of the least possible");
    problem_at_most("largest share", worst, 1.2);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "16/whole_parameters", judge);
}

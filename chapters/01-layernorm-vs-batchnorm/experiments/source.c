/* The source of samples: see source.h. */
#include "01-layernorm-vs-batchnorm/experiments/source.h"

#include "01-layernorm-vs-batchnorm/experiments/experiments.h"

Source source_create(uint64_t seed) {
    Source source;
    Random random = random_stream(seed, STREAM_SCALE);
    for (size_t c = 0; c < FEATURES; c++) {
        source.mean[c] = 3 * random_normal(&random);
        source.deviation[c] = 0.5 + 2 * random_double(&random);
    }
    return source;
}

void source_draw(const Source *source, float *x, size_t n, Random *random) {
    for (size_t i = 0; i < n * FEATURES; i++) {
        size_t c = i % FEATURES;
        x[i] = (float)(source->mean[c] + source->deviation[c] * random_normal(random));
    }
}

/* Models to code: see models.h. */
#include "14-compression/experiments/models.h"

static const SmallModel small = {.n_layer = 2,
                                 .d_model = 128,
                                 .n_ctx = 64,
                                 .steps = 600},
                        large = {
                            .n_layer = 4, .d_model = 256, .n_ctx = 64, .steps = 1000};

TextModel kept_model(size_t i, uint64_t seed, bool quick) {
    SmallModel size = i < LARGE_MODEL ? small : large;
    if (quick) size.steps /= 10;
    return text_model_kept(seed + (i < LARGE_MODEL ? i : 0), &size);
}

const char *model_name(size_t i) {
    static const char *const names[MODELS] = {"small-1", "small-2", "small-3", "large"};
    return names[i];
}

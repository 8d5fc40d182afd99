/* Time of a token against its position, in a small model. */
#include "13-kv-cache/bench.h"
#include "13-kv-cache/experiments/experiments.h"

void experiment_time_per_token(const Settings *settings) {
    Gpt2Config config = gpt2_config(257, settings->quick ? 128 : 512, 4, 4, 128);
    Random init = random_create(settings->seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    bench_cache(model, settings->quick ? 8 : 10, settings->out, "time-per-token",
                settings->quick ? 0 : 10);
    gpt2_free(model);
}

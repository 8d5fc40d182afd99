/* Time of a token against its position, in a model of GPT-2's size. */
#include "13-kv-cache/bench.h"
#include "13-kv-cache/experiments/experiments.h"

void experiment_gpt2_124m(const Settings *settings) {
    Gpt2Config config = gpt2_named_config("gpt2");
    Random init = random_create(settings->seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    bench_cache(model, settings->quick ? 3 : 11, settings->out, "time-gpt2",
                settings->quick ? 0 : 10);
    gpt2_free(model);
}

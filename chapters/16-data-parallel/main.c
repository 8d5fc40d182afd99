/* Chapter 16: one training on many processes, and the same bytes for any number of them. */
#include "11-training/run.h"
#include "16-data-parallel/data_parallel.h"
#include "16-data-parallel/experiments/experiments.h"

static const char name[] = "16-data-parallel";
static Ranks ranks;
static bool sharded;
static size_t bucket = 1 << 18;

static void demo(const Settings *settings) {
    ranks_name_errors(&ranks, name);
    DataParallel parallel = data_parallel_create(&ranks, bucket, sharded);
    RunOptions options = run_options;
    options.team = &parallel.team;
    run_training(&options, settings);
    data_parallel_free(&parallel);
}

int main(int argc, char **argv) {
    static const Option more[] = {
        {"shard", OPTION_FLAG, &sharded, "each rank keeps the moments of its share only", 0, 0},
        {"bucket", OPTION_SIZE, &bucket, "gradients that leave in one message, in numbers", 1, 1e9},
        {0},
    };
    ranks = ranks_start(&argc, &argv);
    run_options.batch = 1;
    run_options.accumulate = 8;
    run_catch_signals();
    return program_run(argc, argv,
                       &(Program){
                           .name = name,
                           .summary = "train a small GPT-2 on many processes",
                           .example = "--steps 400 --accumulate 16 --save build/model",
                           .options = run_options_and(more),
                           .demo = demo,
                       });
}

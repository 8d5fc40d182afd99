/* Chapter 16: one training on many processes, and the same bytes for any number of
 * them. */
#include "11-training/training_run.h"
#include "13-kv-cache/options.h"
#include "14-compression/options.h"
#include "16-data-parallel/data_parallel.h"
#include "16-data-parallel/experiments/experiments.h"
#include "16-data-parallel/ring_all_reduce.h"
#include "base/error.h"

static const char name[] = "16-data-parallel";
static Ranks ranks;
static bool sharded, ring;
static size_t bucket = 1 << 18;

static void demo(const Settings *settings) {
    ranks_name_errors(&ranks, name);
    if (ring && sharded)
        die_usage("--ring and --shard: moments are shared out along the tree only");
    DataParallel parallel = data_parallel_create(&ranks, bucket, sharded);
    if (ring) data_parallel_use(&parallel, ring_all_reduce);
    run_options.group = &parallel.group;
    run_as_told(settings);
    data_parallel_free(&parallel);
}

int main(int argc, char **argv) {
    static const Option more[] = {
        {"shard", OPTION_FLAG, &sharded,
         "each rank keeps the moments of its share only", 0, 0},
        {"ring", OPTION_FLAG, &ring,
         "add along a ring, as most programs do: other ranks, other bytes", 0, 0},
        {"bucket", OPTION_SIZE, &bucket,
         "gradients that leave in one message, in numbers", 1, 1e9},
        {0},
    };
    static const Experiment experiments[] = {
        {"bits",
         "what the number of ranks changes in the weights: ring, MPI's sum and tree",
         experiment_bits},
        {"memory", "bytes at each rank when the moments are shared out",
         experiment_memory},
        {"scale", "a model: communication and computing on up to 1000 nodes",
         experiment_scale},
        {0},
    };
    static const Experiment timed[] = {
        {"messages",
         "latency and bandwidth; four ways to add an array over all ranks, by size",
         experiment_messages},
        {"timeline", "when each bucket leaves, is added up and is everywhere",
         experiment_timeline},
        {"speed", "steps a second, waiting, bytes sent, and the tree beside MPI's sum",
         experiment_speed},
        {0},
    };
    ranks = ranks_start(&argc, &argv);
    experiments_use(&ranks);
    run_options.batch = 1;
    run_options.accumulate = 8;
    run_catch_signals();
    coding_start();
    command_add_options(&train_command, more);
    train_command.run = demo;
    bool alone = ranks.n == 1; /* else there is only training to be done */
    return program_run(
        argc, argv,
        &(Program){
            .name = name,
            .summary = "train a small GPT-2 on many processes",
            .example = "--steps 400 --accumulate 16 --save build/model",
            .options = {text_options, shape_options, training_options, more},
            .commands = {&train_command, alone ? &write_command : NULL,
                         &convert_command, &eval_command, &keys_command, &info_command,
                         &dump_command},
            .experiments = experiments,
            .timed = timed,
            .demo = demo,
            .follows = ranks.rank > 0,
        });
}

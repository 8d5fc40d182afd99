/* Chapter 11: training. Trains a small GPT-2 on the built-in corpus or on a text file,
 * logs every step, and can be stopped and resumed at any moment. */
#include "10-gpt2/reading.h"
#include "11-training/experiments/experiments.h"
#include "11-training/training_run.h"

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"bad-batch",
         "one bad batch, with and without clipping, and with AdamW's moments put back",
         experiment_bad_batch},
        {"schedule", "validation loss by what the learning rate does until the end",
         experiment_schedule},
        {"resume", "a training that goes on without the moments of AdamW",
         experiment_resume},
        {"loss",
         "loss and gradient norms of a small GPT-2, against the entropy of the "
         "language",
         experiment_loss},
        {"answers", "what is above the floor: in the answers, and in the rest",
         experiment_answers},
        {"keys",
         "what the FFNs of a trained model look for, and what they then say, by layer",
         experiment_keys},
        {"layer-gradients",
         "gradient norm of each block while training, pre-LN and post-LN",
         experiment_layer_gradients},
        {"rates", "learning rate by batch size, of the same tokens", experiment_rates},
        {"isoflop",
         "five sizes by five budgets of operations: which size makes the most of a "
         "budget",
         experiment_isoflop},
        {"mixed-precision",
         "activations and gradients in bf16, and in f16 by the scale of the loss",
         experiment_mixed_precision},
        {"shakespeare",
         "training and validation loss on a part of tiny Shakespeare, by size",
         experiment_shakespeare},
        {0},
    };
    static const Experiment timed[] = {
        {"cost", "operations, bytes and seconds of a step, by the size of the model",
         experiment_cost},
        {0},
    };
    run_catch_signals();
    return program_run(
        argc, argv,
        &(Program){
            .name = "11-training",
            .summary = "train a small GPT-2",
            .example = "--steps 400 --layers 4 --width 128 --save build/model",
            .options = {text_options, shape_options, training_options},
            .commands = {&train_command, &eval_command, &keys_command, &info_command,
                         &dump_command},
            .experiments = experiments,
            .timed = timed,
            .demo = run_as_told,
        });
}

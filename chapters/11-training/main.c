/* Chapter 11: training. Trains a small GPT-2 on the built-in corpus or on a text file, logs every step, and
 * can be stopped and resumed at any moment. */
#include "11-training/experiments/experiments.h"
#include "11-training/run.h"

static void demo(const Settings *settings) {
    run_training(&run_options, settings);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"text", OPTION_TEXT, &run_options.text_path, "train on this file instead of the built-in corpus", 0,
         0},
        {"vocab", OPTION_TEXT, &run_options.vocab, "directory with vocab.json and merges.txt", 0, 0},
        {"vocab-size", OPTION_SIZE, &run_options.vocab_size,
         "learn a vocabulary of N tokens first; 0: bytes are the tokens", 0, 1e6},
        {"steps", OPTION_SIZE, &run_options.n_steps, "training steps", 1, 1e7},
        {"layers", OPTION_SIZE, &run_options.n_layer, "blocks", 1, 96},
        {"heads", OPTION_SIZE, &run_options.n_head, "attention heads", 1, 96},
        {"width", OPTION_SIZE, &run_options.d_model, "d_model", 1, 4096},
        {"context", OPTION_SIZE, &run_options.n_ctx, "tokens in a window", 2, 4096},
        {"batch", OPTION_SIZE, &run_options.batch, "windows in a micro-batch", 1, 4096},
        {"accumulate", OPTION_SIZE, &run_options.accumulate, "micro-batches in a step", 1, 4096},
        {"rate", OPTION_DOUBLE, &run_options.learning_rate, "highest learning rate; it ends at a tenth", 0,
         10},
        {"warmup", OPTION_SIZE, &run_options.warmup, "steps of warm-up", 0, 1e7},
        {"decay", OPTION_DOUBLE, &run_options.weight_decay, "weight decay of the matrices", 0, 10},
        {"clip", OPTION_DOUBLE, &run_options.clip, "largest gradient norm; 0: no clipping", 0, 1e9},
        {"dropout", OPTION_DOUBLE, &run_options.dropout, "share of activations dropped", 0, 0.9},
        {"placement", OPTION_TEXT, &run_options.placement, "norm placement: pre or post", 0, 0},
        {"validate-every", OPTION_SIZE, &run_options.validate_every, "steps between validations", 1, 1e7},
        {"save", OPTION_TEXT, &run_options.save_directory, "directory for checkpoints and the model", 0, 0},
        {"save-every", OPTION_SIZE, &run_options.save_every, "steps between checkpoints", 1, 1e7},
        {"resume", OPTION_FLAG, &run_options.resume, "go on from the checkpoint in --save", 0, 0},
        {"log", OPTION_TEXT, &run_options.log_name, "write every step to OUT/NAME.csv", 0, 0},
        {0},
    };
    static const Experiment experiments[] = {
        {"bad-batch", "one bad batch in the middle of a training, with and without clipping",
         experiment_bad_batch},
        {"resume", "a training that goes on without the moments of AdamW", experiment_resume},
        {"loss", "loss and gradient norms of a small GPT-2, against the entropy of the language",
         experiment_loss},
        {"answers", "what is above the floor: in the answers, and in the rest", experiment_answers},
        {"keys", "what the FFNs of a trained model look for, and what they then say, by layer",
         experiment_keys},
        {"layer-gradients", "gradient norm of each block while training, pre-LN and post-LN",
         experiment_layer_gradients},
        {"cost", "operations, bytes and seconds of a step, by the size of the model", experiment_cost},
        {"rates", "learning rate by batch size, of the same tokens", experiment_rates},
        {"isoflop", "five sizes by five budgets of operations: which size makes the most of a budget",
         experiment_isoflop},
        {"shakespeare", "training and validation loss on a part of tiny Shakespeare, by size",
         experiment_shakespeare},
        {0},
    };
    run_catch_signals();
    return program_run(argc, argv,
                       &(Program){
                           .name = "11-training",
                           .summary = "train a small GPT-2",
                           .example = "--steps 400 --layers 4 --width 128 --save build/model",
                           .options = options,
                           .experiments = experiments,
                           .demo = demo,
                       });
}

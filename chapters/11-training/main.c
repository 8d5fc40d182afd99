/* Chapter 11: training. Trains a small GPT-2 on the built-in corpus or on a text file, logs every step, and
 * can be stopped and resumed at any moment. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "11-training/train.h"
#include "claim.h"
#include "clock.h"
#include "error.h"
#include "file.h"
#include "program.h"
#include "progress.h"

static size_t n_steps = 60, n_layer = 2, n_head = 4, d_model = 64, n_ctx = 128, batch = 8, accumulate = 1,
              warmup = 10;
static size_t vocab_size, validate_every = 20, validation_windows = 40, save_every = 100;
static double learning_rate = 3e-3, weight_decay = 0.1, clip = 1.0, dropout_share;
static const char *text_path, *vocab, *save_directory, *log_name, *placement = "pre";
static bool resume;

static volatile sig_atomic_t interrupted;
static void on_interrupt(int signal_number) {
    interrupted = signal_number;
}

static TrainSettings settings_of(const Settings *settings, size_t n_vocab) {
    if (d_model % n_head != 0) die_usage("--width %zu is not a multiple of --heads %zu", d_model, n_head);
    Gpt2Config model = gpt2_config(n_vocab, n_ctx, n_layer, n_head, d_model);
    if (strcmp(placement, "pre") != 0 && strcmp(placement, "post") != 0)
        die_usage("--placement '%s': pre or post", placement);
    model.block.placement = strcmp(placement, "pre") == 0 ? PRE_LN : POST_LN;
    model.embd_dropout = model.block.attn_dropout = model.block.resid_dropout = (float)dropout_share;
    TrainSettings s = train_settings(&model);
    s.seed = settings->seed;
    s.batch = batch;
    s.accumulate = accumulate;
    s.steps = n_steps;
    s.warmup = warmup;
    s.learning_rate = (float)learning_rate;
    s.lowest_rate = (float)learning_rate / 10;
    s.weight_decay = (float)weight_decay;
    s.max_norm = (float)clip;
    return s;
}

static void save(const Trainer *t, const char *state_path) {
    if (!state_path) return;
    trainer_save(t, state_path);
    if (t->settings.model.block.placement == PRE_LN) gpt2_save(t->model, save_directory);
}

static void print_row(const Trainer *t, const StepLog *log) {
    if (isnan(log->validation)) return;
    printf("%6zu %9.4f %11.4f %10.3f %14.6f\n", t->step, (double)log->loss, (double)log->validation,
           (double)log->grad_norm, (double)log->learning_rate);
    fflush(stdout);
}

/* Trains to the last step, or until an interrupt; prints a row at each validation. */
static void train(Trainer *t, const char *state_path) {
    const TrainSettings *s = &t->settings;
    size_t tokens = s->batch * s->length * s->accumulate, first = t->step;
    printf("%6s %9s %11s %10s %14s\n", "step", "loss", "validation", "grad norm", "learning rate");
    Progress bar = progress_begin("training", s->steps);
    double started = clock_seconds();
    while (t->step < s->steps && !interrupted) {
        trainer_step(t);
        if (t->step % validate_every == 0 || t->step == s->steps) {
            trainer_validate(t, t->step == s->steps ? 0 : validation_windows);
        }
        const StepLog *log = &t->log[t->step - 1];
        if (!isnan(log->validation)) progress_end(&bar);
        print_row(t, log);
        double rate = (double)((t->step - first) * tokens) / (clock_seconds() - started);
        progress_update(&bar, t->step, "loss %.3f  grad norm %.2f  %.0f tokens/s", (double)log->loss,
                        (double)log->grad_norm, rate);
        if (t->step % save_every == 0) save(t, state_path);
    }
    progress_end(&bar);
    save(t, state_path);
}

/* Runs one training as the options say, and returns the final validation loss. */
static double run(const Settings *settings) {
    Tokenizer *tokenizer = vocab        ? tokenizer_load(vocab)
                           : vocab_size ? dataset_tokenizer(text_path, settings->seed, vocab_size)
                                        : tokenizer_bytes();
    Dataset data = text_path ? dataset_text(tokenizer, text_path, n_ctx)
                             : dataset_corpus(tokenizer, settings->seed, 4000000, 20000);
    TrainSettings s = settings_of(settings, data.n_vocab);
    Trainer t = trainer_create(&s, &data, NULL);
    printf("%zu parameters; %zu tokens to train on, %zu to validate; %zu tokens a step\n",
           params_count(&t.model->params), data.train.n, data.validation.n,
           s.batch * s.length * s.accumulate);

    char *state_path = NULL;
    if (save_directory) {
        make_directory(save_directory);
        if (vocab || vocab_size) tokenizer_save(tokenizer, save_directory);
        state_path = path_join(save_directory, "training.safetensors");
        if (resume && trainer_resume(&t, state_path)) printf("resumed after step %zu\n", t.step);
    }
    train(&t, state_path);
    if (interrupted) {
        printf("interrupted after step %zu%s\n", t.step, state_path ? "; --resume goes on from here" : "");
        exit(128 + interrupted);
    }
    double loss = (double)t.log[t.step - 1].validation;
    printf("validation loss %.4f nats a token", loss);
    if (data.floor > 0) printf("; the floor of this text is %.4f", data.floor);
    printf("\nactivations %.1f MB\n", (double)t.tape.arena.peak / 1e6);
    if (log_name) trainer_write_csv(&t, settings->out, log_name);
    if (data.floor > 0)
        claim(loss > data.floor, "validation loss %.4f is above the entropy %.4f", loss, data.floor);
    free(state_path);
    trainer_free(&t);
    dataset_free(&data);
    tokenizer_free(tokenizer);
    return loss;
}

static void demo(const Settings *settings) {
    run(settings);
}

/* The training of `make tour`: a model that learns the language. */
static void experiment_loss(const Settings *settings) {
    vocab_size = 512, n_layer = 4, d_model = 128, n_ctx = 64, batch = 16, warmup = 100,
    learning_rate = 1.5e-3;
    n_steps = settings->quick ? 40 : 4000;
    validate_every = settings->quick ? 20 : 200;
    log_name = "11-loss";
    double loss = run(settings);
    claim(loss < 0.8, "the validation loss %.3f ends below 0.8 nats a token", loss);
}

static void experiment_layer_gradients(const Settings *settings) {
    vocab_size = 512, n_layer = 6, d_model = 64, n_head = 4, n_ctx = 64, batch = 8,
    n_steps = settings->quick ? 20 : 150, warmup = 20;
    validate_every = n_steps;
    validation_windows = 20;
    save_directory = NULL;
    placement = "pre";
    log_name = "11-layer-gradients-pre";
    run(settings);
    placement = "post";
    log_name = "11-layer-gradients-post";
    run(settings);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"text", OPTION_TEXT, &text_path, "train on this file instead of the built-in corpus", 0, 0},
        {"vocab", OPTION_TEXT, &vocab, "directory with vocab.json and merges.txt", 0, 0},
        {"vocab-size", OPTION_SIZE, &vocab_size,
         "learn a vocabulary of N tokens first; 0: bytes are the tokens", 0, 1e6},
        {"steps", OPTION_SIZE, &n_steps, "training steps", 1, 1e7},
        {"layers", OPTION_SIZE, &n_layer, "blocks", 1, 96},
        {"heads", OPTION_SIZE, &n_head, "attention heads", 1, 96},
        {"width", OPTION_SIZE, &d_model, "d_model", 1, 4096},
        {"context", OPTION_SIZE, &n_ctx, "tokens in a window", 2, 4096},
        {"batch", OPTION_SIZE, &batch, "windows in a micro-batch", 1, 4096},
        {"accumulate", OPTION_SIZE, &accumulate, "micro-batches in a step", 1, 4096},
        {"rate", OPTION_DOUBLE, &learning_rate, "highest learning rate; it ends at a tenth", 0, 10},
        {"warmup", OPTION_SIZE, &warmup, "steps of warm-up", 0, 1e7},
        {"decay", OPTION_DOUBLE, &weight_decay, "weight decay of the matrices", 0, 10},
        {"clip", OPTION_DOUBLE, &clip, "largest gradient norm; 0: no clipping", 0, 1e9},
        {"dropout", OPTION_DOUBLE, &dropout_share, "share of activations dropped", 0, 0.9},
        {"placement", OPTION_TEXT, &placement, "norm placement: pre or post", 0, 0},
        {"validate-every", OPTION_SIZE, &validate_every, "steps between validations", 1, 1e7},
        {"save", OPTION_TEXT, &save_directory, "directory for checkpoints and the model", 0, 0},
        {"save-every", OPTION_SIZE, &save_every, "steps between checkpoints", 1, 1e7},
        {"resume", OPTION_FLAG, &resume, "go on from the checkpoint in --save", 0, 0},
        {"log", OPTION_TEXT, &log_name, "write every step to OUT/NAME.csv", 0, 0},
        {0},
    };
    static const Experiment experiments[] = {
        {"loss", "loss and gradient norms of a small GPT-2, against the entropy of the language",
         experiment_loss},
        {"layer-gradients", "gradient norm of each block while training, pre-LN and post-LN",
         experiment_layer_gradients},
        {0},
    };
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
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

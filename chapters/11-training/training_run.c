/* A training run as a program makes it: see training_run.h. */
#include "11-training/training_run.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/reading.h"
#include "11-training/cost.h"
#include "11-training/process_group.h"
#include "11-training/start_model.h"
#include "11-training/train.h"
#include "program/claim.h"
#include "base/clock.h"
#include "checkpoints/directory.h"
#include "base/error.h"
#include "program/progress.h"
#include "kernels/thread_tuner.h"
#include "base/unicode.h"

RunOptions run_options = {.n_steps = 60,
                          .n_layer = 2,
                          .n_head = 4,
                          .d_model = 64,
                          .n_ctx = 128,
                          .batch = 8,
                          .accumulate = 1,
                          .warmup = 10,
                          .validate_every = 20,
                          .validation_windows = 40,
                          .save_every = 100,
                          .learning_rate = 3e-3,
                          .weight_decay = 0.1,
                          .clip = 1.0,
                          .precision = "float32",
                          .placement = "pre"};

const Option shape_options[] = {
    {"vocab-size", OPTION_SIZE, &run_options.vocab_size,
     "learn a vocabulary of N tokens first; 0: bytes are the tokens", 0, 1e6},
    {"layers", OPTION_SIZE, &run_options.n_layer, "blocks", 1, 96},
    {"heads", OPTION_SIZE, &run_options.n_head, "attention heads", 1, 96},
    {"width", OPTION_SIZE, &run_options.d_model, "d_model", 1, 4096},
    {"placement", OPTION_TEXT, &run_options.placement, "norm placement: pre or post", 0,
     0},
    {0},
};

const Option training_options[] = {
    {"from", OPTION_TEXT, &run_options.from,
     "train this model on, e.g. data/gpt2, in the place of a new one", 0, 0},
    {"steps", OPTION_SIZE, &run_options.n_steps, "training steps", 1, 1e7},
    {"context", OPTION_SIZE, &run_options.n_ctx, "tokens in a window", 2, 4096},
    {"batch", OPTION_SIZE, &run_options.batch, "windows in a micro-batch", 1, 4096},
    {"accumulate", OPTION_SIZE, &run_options.accumulate, "micro-batches in a step", 1,
     4096},
    {"rate", OPTION_DOUBLE, &run_options.learning_rate,
     "highest learning rate; it ends at a tenth", 0, 10},
    {"warmup", OPTION_SIZE, &run_options.warmup, "steps of warm-up", 0, 1e7},
    {"decay", OPTION_DOUBLE, &run_options.weight_decay, "weight decay of the matrices",
     0, 10},
    {"clip", OPTION_DOUBLE, &run_options.clip, "largest gradient norm; 0: no clipping",
     0, 1e9},
    {"dropout", OPTION_DOUBLE, &run_options.dropout, "share of activations dropped", 0,
     0.9},
    {"precision", OPTION_TEXT, &run_options.precision,
     "of what a step computes: float32, bfloat16 or float16", 0, 0},
    {"validate-every", OPTION_SIZE, &run_options.validate_every,
     "steps between validations", 1, 1e7},
    {"save", OPTION_TEXT, &run_options.save_directory,
     "directory for checkpoints and the model", 0, 0},
    {"save-every", OPTION_SIZE, &run_options.save_every, "steps between checkpoints", 1,
     1e7},
    {"resume", OPTION_FLAG, &run_options.resume, "go on from the checkpoint in --save",
     0, 0},
    {"overwrite", OPTION_FLAG, &run_options.overwrite,
     "--save replaces the model of another training that is there", 0, 0},
    {"log", OPTION_TEXT, &run_options.log_name, "write every step to OUT/NAME.csv", 0,
     0},
    {0},
};

static volatile sig_atomic_t interrupted;
static void on_interrupt(int signal_number) {
    interrupted = signal_number;
}

void run_catch_signals(void) {
    struct sigaction action = {.sa_handler = on_interrupt,
                               .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    struct sigaction before; /* nohup has it ignored, and that stays */
    sigaction(SIGHUP, NULL, &before);
    if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, NULL);
}

static void check_options(const RunOptions *o) {
    if (o->resume && !o->save_directory)
        die_usage(
            "--resume: goes on from the checkpoint in --save DIR, which is missing");
    if (o->log_name && (!*o->log_name || strchr(o->log_name, '/')))
        die_usage("--log '%s': expected a file's name, without a directory",
                  o->log_name);
}

static Gpt2Config new_model(const RunOptions *o, size_t n_vocab) {
    if (o->d_model % o->n_head != 0)
        die_usage("--width %zu is not a multiple of --heads %zu", o->d_model,
                  o->n_head);
    Gpt2Config model =
        gpt2_config(n_vocab, o->n_ctx, o->n_layer, o->n_head, o->d_model);
    if (strcmp(o->placement, "pre") != 0 && strcmp(o->placement, "post") != 0)
        die_usage("--placement '%s': pre or post", o->placement);
    model.block.placement = strcmp(o->placement, "pre") == 0 ? PRE_LN : POST_LN;
    model.embd_dropout = model.block.attn_dropout = model.block.resid_dropout =
        (float)o->dropout;
    return o->family ? o->family->config(&model) : model;
}

static TrainSettings settings_of(const RunOptions *o, uint64_t seed, size_t length,
                                 const Gpt2Config *model) {
    TrainSettings s = train_settings(model);
    s.seed = seed;
    s.length = length;
    s.batch = o->batch;
    s.accumulate = o->accumulate;
    s.steps = o->n_steps;
    s.warmup = o->warmup;
    s.learning_rate = (float)o->learning_rate;
    s.lowest_rate = (float)o->learning_rate / 10;
    s.weight_decay = (float)o->weight_decay;
    s.max_norm = (float)o->clip;
    s.precision = precision_named(o->precision);
    return s;
}

typedef struct {
    Trainer trainer;
    ProcessGroup *group;
    Tokenizer *tokenizer;
    Directory *directory; /* NULL without --save */
} Run;

/* Alone, or the process of the group that reads and writes. */
static bool is_root(const Run *r) {
    return !r->group || r->group->is_root;
}

/* The signal that ends this training, 0: none. */
static int interrupt(const Run *r) {
    return r->group ? r->group->agree(r->group, interrupted) : interrupted;
}

/* Weights, config, vocabulary and checkpoint, all at once. Where bytes are the tokens
 * that is a vocabulary too: other tools take a missing one for one of a single token.
 * What an earlier training left there and this one does not have goes. */
static void write_files(const Run *r) {
    const Trainer *t = &r->trainer;
    trainer_save(t, r->directory);
    if (t->settings.model.block.placement == PRE_LN) {
        family_add_files(t->model, r->tokenizer, r->directory);
    } else { /* no GPT-2 that others could load */
        directory_remove(r->directory, "model.safetensors");
        directory_remove(r->directory, "config.json");
        tokenizer_save(r->tokenizer, r->directory);
    }
    directory_commit(r->directory);
}

static void save(Run *r, const RunOptions *o) {
    if (!o->save_directory) return;
    if (r->group) r->group->begin_save(r->group, &r->trainer);
    if (is_root(r)) write_files(r);
    if (r->group) r->group->end_save(r->group, &r->trainer);
}

static void print_row(const Trainer *t, const StepLog *log) {
    if (isnan(log->validation)) return;
    printf("%6zu %9.4f %11.4f %10.3f %14.6f\n", t->step, (double)log->loss,
           (double)log->validation, (double)log->grad_norm, (double)log->learning_rate);
    fflush(stdout);
}

/* Trains to the last step, or until an interrupt; prints a row at each validation. */
static void train(Run *r, const RunOptions *o, size_t threads) {
    Trainer *t = &r->trainer;
    const TrainSettings *s = &t->settings;
    size_t tokens = s->batch * s->length * s->accumulate, first = t->step;
    printf("%6s %9s %11s %10s %14s\n", "step", "loss", "validation", "grad norm",
           "learning rate");
    Progress bar = progress_begin("training", s->steps);
    double started = clock_seconds(), flops = train_flops(t),
           most = bar.visible ? machine_flops() : NAN;
    ThreadTuner tuner = thread_tuner_create(threads);
    while (t->step < s->steps && !interrupt(r)) {
        thread_tuner_begin(&tuner);
        trainer_step(t);
        thread_tuner_end(&tuner);
        if (is_root(r) && (t->step % o->validate_every == 0 || t->step == s->steps)) {
            progress_update(&bar, t->step, "validating");
            trainer_validate(t, t->step == s->steps ? 0 : o->validation_windows);
        }
        const StepLog *log = &t->log[t->step - 1];
        if (!isnan(log->validation)) progress_end(&bar);
        print_row(t, log);
        /* steps a second */
        double rate = (double)(t->step - first) / (clock_seconds() - started);
        progress_update(&bar, t->step,
                        "loss %.3f  %.3g s/step  %.0f tokens/s  %.1f GFLOP/s, %.0f %% "
                        "of a product's",
                        (double)log->loss, 1 / rate, rate * (double)tokens,
                        rate * flops / 1e9, 100 * rate * flops / most);
        if (t->step % o->save_every == 0 && t->step < s->steps) save(r, o);
    }
    progress_end(&bar);
    save(r, o);
}

/* Looks at the checkpoint, and makes sure of the places that will be written to, before
 * the first step. */
static void open_places(Run *r, const RunOptions *o, const char *out) {
    if (o->log_name) expect_writable(out);
    if (!o->save_directory) return;
    r->directory = directory_open(o->save_directory);
    trainer_expect_writable(r->directory);
    gpt2_expect_writable(r->directory);
    if (o->resume && trainer_resume(&r->trainer, o->save_directory)) {
        printf("resumed after step %zu\n", r->trainer.step);
        return;
    }
    if (!o->overwrite) trainer_expect_own(&r->trainer, o->save_directory);
    if (o->resume)
        printf("directory '%s': there is no checkpoint to resume; starting at step 0\n",
               printable(o->save_directory, PRINTABLE_MOST).text);
}

static void free_run(Run *r) {
    if (r->directory) directory_close(r->directory);
    trainer_free(&r->trainer);
    if (r->tokenizer) tokenizer_free(r->tokenizer);
}

/* The whole validation loss, and what is above the floor. */
static RunResult print_end(Run *r) {
    Trainer *t = &r->trainer;
    RunResult end = {
        (double)t->log[t->step - 1].validation, t->data->floor, {.share = NAN}};
    printf("validation loss %.4f nats a token", end.loss);
    if (end.floor > 0) printf("; the floor of this text is %.4f", end.floor);
    putchar('\n');
    if (end.floor > 0) end.answers = answer_loss(t, r->tokenizer);
    if (!isnan(end.answers.share))
        printf("above the floor %.4f: %.4f in the answers (%.1f %% of the tokens), "
               "%.4f in the rest\n",
               end.loss - end.floor, answers_above_floor(&end.answers),
               100 * end.answers.share, others_above_floor(&end.answers));
    return end;
}

static void print_memory(const Trainer *t) {
    TrainMemory m = train_memory(t);
    printf("memory: weights %.1f MB, gradients %.1f, moments %.1f, activations %.1f, "
           "text %.1f\n",
           (double)m.weights / 1e6, (double)m.gradients / 1e6, (double)m.moments / 1e6,
           (double)m.activations / 1e6, (double)m.text / 1e6);
}

static Tokenizer *new_tokenizer(const RunOptions *o, uint64_t seed) {
    if (o->vocab) return tokenizer_load(o->vocab);
    return o->vocab_size ? dataset_tokenizer(o->text_path, seed, o->vocab_size)
                         : tokenizer_bytes();
}

/* In a process group the root reads the data and shares them. */
static Dataset read_data(Run *r, const RunOptions *o, uint64_t seed, size_t length) {
    Dataset data = {0};
    if (is_root(r))
        data = o->text_path ? dataset_text(r->tokenizer, o->text_path, length)
                            : dataset_corpus(r->tokenizer, seed, 4000000, 20000);
    if (r->group) r->group->share_data(r->group, &data);
    return data;
}

static RunResult finish(Run *r, const RunOptions *o, const Settings *settings) {
    const Trainer *t = &r->trainer;
    print_memory(t);
    RunResult end = print_end(r);
    if (o->log_name) trainer_write_csv(t, settings->out, o->log_name);
    if (end.floor > 0)
        claim(end.loss > end.floor, "validation loss %.4f is above the entropy %.4f",
              end.loss, end.floor);
    return end;
}

RunResult run_training(const RunOptions *o, const Settings *settings) {
    check_options(o);
    Run r = {.group = o->group};
    const char *path = start_path(o);
    Gpt2 *model = path ? start_model(path, o) : NULL;
    size_t length = path ? start_length(path, o, model) : o->n_ctx;
    if (is_root(&r))
        r.tokenizer =
            path ? start_tokenizer(path, o, model) : new_tokenizer(o, settings->seed);
    Dataset data = read_data(&r, o, settings->seed, length);
    Gpt2Config config = path ? model->config : new_model(o, data.n_vocab);
    TrainSettings s = settings_of(o, settings->seed, length, &config);
    Trainer *t = &r.trainer;
    *t = trainer_create(&s, &data, model);
    t->group = r.group;
    printf("%zu parameters; %zu tokens to train on, %zu to validate; a step is %zu "
           "tokens, %.2f GFLOP\n",
           params_count(&t->model->params), data.train.n, data.validation.n,
           s.batch * s.length * s.accumulate, train_flops(t) / 1e9);
    if (is_root(&r)) open_places(&r, o, settings->out);
    if (r.group) r.group->begin(r.group, t);
    train(&r, o, settings->threads);
    int signal_number = interrupt(&r);
    if (signal_number) {
        printf("interrupted after step %zu%s\n", t->step,
               o->save_directory ? "; --resume goes on from here" : "");
        end_program(128 + signal_number);
    }
    RunResult end = is_root(&r) ? finish(&r, o, settings) : (RunResult){0};
    free_run(&r);
    dataset_free(&data);
    return end;
}

void run_as_told(const Settings *settings) {
    run_catch_signals();
    run_options.text_path = reading.text;
    run_options.vocab = reading.vocab;
    run_training(&run_options, settings);
}

Command train_command = {"train",
                         "trains a small model, with checkpoints on the disk",
                         "--steps 400 --width 128 --save build/model",
                         {text_options, shape_options, training_options},
                         run_as_told};

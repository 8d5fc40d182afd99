/* A training run as a program makes it: with a progress bar, rows at each validation,
 * checkpoints on disk, and an end at Ctrl-C from which it can go on. */
#ifndef CHAPTER_11_TRAINING_RUN_H
#define CHAPTER_11_TRAINING_RUN_H

#include "10-gpt2/family.h"
#include "11-training/answers.h"
#include "program/program.h"

typedef struct {
    size_t n_steps, n_layer, n_head, d_model, n_ctx, batch, accumulate, warmup;
    /* learn a vocabulary of so many tokens; 0: bytes are the tokens */
    size_t vocab_size;
    size_t validate_every, validation_windows, save_every;
    double learning_rate, weight_decay, clip, dropout;
    const char *text_path;      /* NULL: the built-in corpus */
    const char *vocab;          /* directory of a vocabulary; NULL: see vocab_size */
    const char *save_directory; /* for checkpoints and the model; NULL: none */
    const char *log_name;       /* every step goes to OUT/NAME.csv; NULL: nowhere */
    const char *precision;      /* of what a step computes: "float32" */
    const char *placement;      /* of the norm: "pre" or "post" */
    const char *from; /* train this model, see start_model.h; NULL: a new one */
    bool resume;      /* go on from the checkpoint in save_directory */
    bool overwrite;   /* another model that is there may be replaced */
    const ModelFamily *family;    /* of a new model; NULL: GPT-2 */
    const Option *family_options; /* what else says how it is made, or NULL */
    ProcessGroup *group;          /* see process_group.h; NULL: this process alone */
} RunOptions;

/* The defaults, until main has read the options. */
extern RunOptions run_options;

/* The options that set them, but for text_path and vocab, which are chapter 10's: what
 * a new model is, and how it is trained. */
extern const Option shape_options[], training_options[];

/* From now on SIGINT, SIGTERM, SIGHUP (a terminal that is closed; not under nohup) and
 * SIGUSR1 (which mpirun hands on) end a training behind its current step, with a
 * checkpoint. The second one ends the program at once. */
void run_catch_signals(void);

/* Final result of a training run, on the whole validation text. */
typedef struct {
    double loss, floor; /* nats a token; floor 0: not known */
    AnswerLoss answers; /* share NaN: not the built-in language, or its stories do not
                           fit the window */
} RunResult;

/* Trains one model and prints the result. */
RunResult run_training(const RunOptions *o, const Settings *settings);

/* The same with run_options, --text and --vocab; as a command of later programs. */
void run_as_told(const Settings *settings);
extern Command train_command;

#endif

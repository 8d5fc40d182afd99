/* Training a GPT-2: the loop, its log, and checkpoints from which it goes on bit for
 * bit. */
#ifndef CHAPTER_11_TRAIN_H
#define CHAPTER_11_TRAIN_H

#include "00-tensors/optimizer.h"
#include "10-gpt2/gpt2.h"
#include "11-training/dataset.h"
#include "11-training/mixed_precision.h"
#include "checkpoints/directory.h"

/* Random streams of one seed: each thing that is random draws from its own. */
enum { STREAM_INIT, STREAM_DATA, STREAM_DROPOUT, STREAM_SAMPLING };

typedef struct {
    Gpt2Config model;
    uint64_t seed;
    size_t batch, length; /* windows in a micro-batch, tokens in a window */
    size_t accumulate;    /* micro-batches in a step */
    size_t steps, warmup;
    /* max_norm 0: no clipping */
    float learning_rate, lowest_rate, beta2, weight_decay, max_norm;
    Precision precision; /* of all that a step computes; weights stay float32 */
} TrainSettings;

/* Sensible values for a small model: see train.c. */
TrainSettings train_settings(const Gpt2Config *model);

/* All of them in words, appended to `text` (config_text.h). */
void train_config_text(char text[CONFIG_TEXT_BYTES], const TrainSettings *s);

/* The log of a step. Gradient norms are taken before clipping; block_norm has one entry
 * a layer. */
typedef struct {
    /* validation: NaN where it was not measured; grad_norm: NaN where gradients
     * overflowed float16, so that the step changed nothing */
    float loss, grad_norm, learning_rate, validation, loss_scale;
} StepLog;

/* The processes of one training run (process_group.h). */
typedef struct ProcessGroup ProcessGroup;

typedef struct {
    TrainSettings settings;
    ProcessGroup *group; /* NULL: this process does all */
    const Dataset *data;
    Gpt2 *model;
    AdamW optimizer;
    MixedPrecision mixed;
    Tape tape;
    size_t step;               /* steps done */
    StepLog *log;              /* [steps] */
    float *block_norms;        /* [steps, n_layer] */
    double *norms;             /* [parameters] of their gradients, in the last step */
    int *inputs, *targets;     /* room for a micro-batch */
    char text[CHECKSUM_TEXT];  /* of all tokens of the data */
    char start[CHECKSUM_TEXT]; /* of the weights of a model that was given; "": the
                                  seed's */
} Trainer;

/* Takes over `model`, whose parameters must have gradients and whose configuration is
 * that of the settings; NULL makes a new one from the seed. */
Trainer trainer_create(const TrainSettings *settings, const Dataset *data, Gpt2 *model);
void trainer_free(Trainer *t);

/* The mean loss of micro-batch `index` of the next step, times the factor of
 * mixed.scale; `trainer` is a Trainer. (A MicroLoss of accumulate.h.) */
Tensor *trainer_micro_loss(Tape *tape, void *trainer, size_t index);

/* One step: accumulate, clip, update. A loss or a gradient that is not finite ends the
 * program before the parameters are touched; in float16 such a gradient skips the
 * update and halves the factor of the loss. */
StepLog trainer_step(Trainer *t);

/* The mean validation loss in nats per token, over at most `most` windows (0: all);
 * also stored in the last step's log. */
double trainer_validate(Trainer *t, size_t most);

/* Sets targets [length] that shall not count to IGNORE_TARGET; some may be already. */
typedef void TargetFilter(void *context, const int *inputs, int *targets,
                          size_t length);

/* The mean validation loss over what `keep` leaves of all windows; *counted: how many
 * targets those are. */
double trainer_part_loss(Trainer *t, TargetFilter *keep, void *context,
                         size_t *counted);

/* Everything that the next step depends on, as training.safetensors of what the
 * directory commits next: weights, moments, step, log. With them go a checksum of the
 * file and, in words, what the run is: settings, model, vocabulary and text.
 * trainer_resume ends the program when the file is damaged, when a number in it is not
 * finite, and when the trainer's run is another one. It returns false when there is no
 * such file. */
void trainer_save(const Trainer *t, Directory *directory);
bool trainer_resume(Trainer *t, const char *directory);

/* Is there such a file, of a run that took over a model? */
bool trainer_started_from_model(const char *directory);

/* Does the directory hold a model, or a training's checkpoint? */
bool directory_holds_model(const char *directory);

/* Takes a training that could be resumed out of the directory with its commit. */
void training_remove(Directory *directory);

/* Ends the program when the directory holds a model, unless a run with these settings
 * wrote it. */
void trainer_expect_own(const Trainer *t, const char *directory);

/* Ends the program now if trainer_save could not write its file later. */
void trainer_expect_writable(const Directory *directory);

/* The log as `directory`/`name`.csv: step, loss, validation loss, floor, gradient norm,
 * learning rate, norm of each block; in float16 also the factor of the loss, and
 * whether the update was skipped. */
void trainer_write_csv(const Trainer *t, const char *directory, const char *name);

#endif

/* A small decoder with BatchNorm beside one with LayerNorm: trained alike, then read in
 * other company, in pieces, and one byte after the other. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "05-residual-blocks/residual_init.h"
#include "08-transformer-block/experiments/experiments.h"
#include "08-transformer-block/experiments/text_model.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"
#include "program/progress.h"
#include "text/corpus.h"

enum { D_MODEL = 48, N_HEAD = 4, N_LAYER = 2, BYTES = 128, LENGTH = 64 };
enum { MAX_SEEDS = 3, MAX_STEPS = 2000, WINDOW = 50 };
enum { STREAM_TEST = 3, TEXTS = 64, COMPANY = 8 };

/* How it is trained: on batches of eight texts, or of one. */
enum { TRAININGS = 2 };
static const struct {
    size_t batch, steps;
} trainings[TRAININGS] = {{8, 800}, {1, MAX_STEPS}};

/* How it is read: BatchNorm with its running statistics, or with those of its input, as
 * in training. */
typedef enum { LAYER_NORM, RUNNING, OWN, KINDS } Kind;
static const struct {
    const char *norm, *statistics;
    NormKind kind;
} kinds[KINDS] = {{"LayerNorm", "none", NORM_LAYER},
                  {"BatchNorm", "running", NORM_BATCH},
                  {"BatchNorm", "own", NORM_BATCH}};

static const size_t batches[] = {64, 32, 16, 8, 4, 2, 1},
                    lengths[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
enum {
    BATCHES = sizeof batches / sizeof *batches,
    LENGTHS = sizeof lengths / sizeof *lengths
};

/* Windows of a text that no model was trained on. */
typedef struct {
    int tokens[TEXTS * LENGTH], targets[TEXTS * LENGTH];
} Test;

/* Losses in nats, and counts of outputs. */
typedef struct {
    double training;          /* at the end of it */
    double by_batch[BATCHES]; /* whole texts, so many at a time */
    double pieces[LENGTHS];   /* only the first bytes of texts, eight texts at a time */
    double whole[LENGTHS];    /* the same bytes, read with the rest behind them */
    double alone[LENGTHS];    /* the last of so many bytes, one text at a time */
    size_t moved_earlier, moved_others; /* by another last byte of one text */
} Found;

typedef struct {
    size_t seeds;
    bool quick;
    Test test;
    Found found[TRAININGS][KINDS][MAX_SEEDS];
} Decoder;

/* A model and how it is read. */
typedef struct {
    const SmallModel *model;
    Kind kind;
} Reader;

static Tape tape_of(const Reader *r) {
    Tape t = tape_for_inference();
    t.training = r->kind == OWN;
    return t;
}

/* tokens [batch, length]: the model is told of texts of that length. */
static const float *logits_of(Tape *t, const Reader *r, const int *tokens, size_t batch,
                              size_t length) {
    SmallModel m = *r->model;
    m.config.length = length;
    return small_model_logits(t, &m, tokens, batch, NULL)->data;
}

/* loss [length]: of each byte behind the first `length` of all test texts, `batch`
 * texts at a time. */
static void read_texts(double *loss, const Reader *r, const Test *test, size_t batch,
                       size_t length) {
    int tokens[TEXTS * LENGTH];
    Tape t = tape_of(r);
    for (size_t i = 0; i < length; i++) loss[i] = 0;
    for (size_t first = 0; first < TEXTS; first += batch) {
        for (size_t b = 0; b < batch; b++) {
            memcpy(tokens + b * length, test->tokens + (first + b) * LENGTH,
                   length * sizeof *tokens);
        }
        tape_reset(&t);
        const float *row = logits_of(&t, r, tokens, batch, length);
        for (size_t i = 0; i < batch * length; i++, row += BYTES) {
            size_t text = first + i / length, at = i % length;
            const int *target = test->targets + text * LENGTH + at;
            float logsumexp;
            loss[at] +=
                (double)cross_entropy_forward(&logsumexp, row, target, 1, BYTES) /
                TEXTS;
        }
    }
    tape_free(&t);
}

static double mean(const double *x, size_t n) {
    return mean_of_last(x, n, n);
}

static void measure_losses(Found *found, const Reader *r, const Test *test) {
    double loss[LENGTH];
    for (size_t i = 0; i < BATCHES; i++) {
        read_texts(loss, r, test, batches[i], LENGTH);
        found->by_batch[i] = mean(loss, LENGTH);
        for (size_t n = 0; batches[i] == COMPANY && n < LENGTHS; n++)
            found->whole[n] = mean(loss, lengths[n]);
    }
    for (size_t i = 0; i < LENGTHS; i++) {
        read_texts(loss, r, test, COMPANY, lengths[i]);
        found->pieces[i] = mean(loss, lengths[i]);
        read_texts(loss, r, test, 1, lengths[i]);
        found->alone[i] = loss[lengths[i] - 1];
    }
}

/* The last byte of the first of eight texts becomes another one. Counts the outputs
 * that have changed in any bit. */
static void change_last_byte(Found *found, const Reader *r, const Test *test) {
    enum { TEXT = LENGTH * BYTES, EARLIER = TEXT - BYTES, ALL = COMPANY * TEXT };
    int tokens[COMPANY * LENGTH];
    memcpy(tokens, test->tokens, sizeof tokens);
    Tape t = tape_of(r);
    const float *before = logits_of(&t, r, tokens, COMPANY, LENGTH);
    tokens[LENGTH - 1] = tokens[LENGTH - 1] == 'a' ? 'e' : 'a';
    const float *after = logits_of(&t, r, tokens, COMPANY, LENGTH);
    found->moved_earlier = found->moved_others = 0;
    for (size_t i = 0; i < EARLIER; i++) found->moved_earlier += before[i] != after[i];
    for (size_t i = TEXT; i < ALL; i++) found->moved_others += before[i] != after[i];
    tape_free(&t);
}

static TextRun training_of(NormKind norm, size_t training) {
    const float std = 0.14f; /* about 1 / sqrt(D_MODEL) */
    TextRun run = {.model = {.block = block_config_gpt2(D_MODEL, N_HEAD),
                             .n_layer = N_LAYER,
                             .n_tokens = BYTES,
                             .length = LENGTH,
                             .std = std,
                             .std_residual = residual_init_std(std, N_LAYER)},
                   .batch = trainings[training].batch,
                   .steps = trainings[training].steps,
                   .peak = 3e-3f};
    run.model.block.norm = norm;
    return run;
}

/* Trains one model and reads with it. Reading with its own statistics moves the running
 * ones, so OWN is the last of the kinds. */
static void run_one(Decoder *d, NormKind norm, size_t training, size_t s, TextRun run) {
    double losses[MAX_STEPS];
    if (d->quick) run.steps /= 10;
    SmallModel m = text_model_train(losses, &run);
    for (Kind kind = LAYER_NORM; kind < KINDS; kind++) {
        if (kinds[kind].kind != norm) continue;
        Found *found = &d->found[training][kind][s];
        Reader reader = {&m, kind};
        found->training = mean_of_last(losses, run.steps, WINDOW);
        measure_losses(found, &reader, &d->test);
        change_last_byte(found, &reader, &d->test);
    }
    small_model_free(&m);
}

static void run_all(Decoder *d, uint64_t first_seed) {
    CorpusText seen = corpus_generate(1, 1 << 20), unseen = corpus_generate(2, 1 << 16);
    Random r = random_stream(first_seed, STREAM_TEST);
    text_windows(d->test.tokens, d->test.targets, &(Text){unseen.text, unseen.bytes},
                 TEXTS, LENGTH, &r);
    size_t runs = 2 * TRAININGS * d->seeds, done = 0;
    Progress progress = progress_begin("batchnorm-decoder", runs);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < runs; i++) {
        size_t training = i % TRAININGS, s = i / (2 * TRAININGS);
        NormKind norm = i / TRAININGS % 2 ? NORM_BATCH : NORM_LAYER;
        TextRun run = training_of(norm, training);
        run.text = (Text){seen.text, seen.bytes};
        run.seed = first_seed + s;
        run_one(d, norm, training, s, run);
#pragma omp critical
        progress_update(&progress, ++done, "seed %zu", s + 1);
    }
    progress_end(&progress);
    free(seen.text);
    free(unseen.text);
}

static void write_losses(const Decoder *d, const char *directory) {
    Csv csv = csv_begin(directory, "batchnorm-decoder",
                        "trained_on,norm,statistics,seed,read,texts,bytes,loss");
    for (size_t i = 0; i < TRAININGS * KINDS * d->seeds; i++) {
        size_t training = i / d->seeds / KINDS, s = i % d->seeds;
        Kind kind = (Kind)(i / d->seeds % KINDS);
        const Found *f = &d->found[training][kind][s];
        char run[80];
        snprintf(run, sizeof run, "%zu,%s,%s,%zu", trainings[training].batch,
                 kinds[kind].norm, kinds[kind].statistics, s + 1);
        csv_row(&csv, "%s,training,%zu,%d,%.6g", run, trainings[training].batch, LENGTH,
                f->training);
        for (size_t b = 0; b < BATCHES; b++)
            csv_row(&csv, "%s,batch,%zu,%d,%.6g", run, batches[b], LENGTH,
                    f->by_batch[b]);
        for (size_t n = 0; n < LENGTHS; n++) {
            csv_row(&csv, "%s,pieces,%d,%zu,%.6g", run, COMPANY, lengths[n],
                    f->pieces[n]);
            csv_row(&csv, "%s,whole,%d,%zu,%.6g", run, COMPANY, lengths[n],
                    f->whole[n]);
            csv_row(&csv, "%s,alone,1,%zu,%.6g", run, lengths[n], f->alone[n]);
        }
    }
    csv_commit(&csv);
}

static void write_moved(const Decoder *d, const char *directory) {
    Csv csv = csv_begin(directory, "batchnorm-moved",
                        "trained_on,norm,statistics,seed,earlier,others");
    for (size_t training = 0; training < TRAININGS; training++) {
        for (Kind kind = LAYER_NORM; kind < KINDS; kind++) {
            for (size_t s = 0; s < d->seeds; s++) {
                const Found *f = &d->found[training][kind][s];
                csv_row(&csv, "%zu,%s,%s,%zu,%zu,%zu", trainings[training].batch,
                        kinds[kind].norm, kinds[kind].statistics, s + 1,
                        f->moved_earlier, f->moved_others);
            }
        }
    }
    csv_commit(&csv);
}

enum { WHOLE_1 = BATCHES - 1 }; /* whole texts, one at a time */

static void print_losses(const Decoder *d) {
    printf("  loss in nats, seeds side by side\n"
           "  trained on   %-18s training's end    unseen texts, one at a time\n",
           "read with");
    for (size_t i = 0; i < TRAININGS * KINDS; i++) {
        const Found *f = d->found[i / KINDS][i % KINDS];
        printf("  %zu of 64 bytes  %-9s %-8s", trainings[i / KINDS].batch,
               kinds[i % KINDS].norm, kinds[i % KINDS].statistics);
        for (size_t s = 0; s < d->seeds; s++) printf(" %.3f", f[s].training);
        printf("   ");
        for (size_t s = 0; s < d->seeds; s++) printf(" %.3f", f[s].by_batch[WHOLE_1]);
        printf("\n");
    }
}

/* How far the loss on the same bytes is from that of whole texts, eight at a time. */
static double company_matters(const Found *f) {
    double most = 0;
    for (size_t b = 0; b < BATCHES; b++)
        most = larger(most, fabs(f->by_batch[b] - f->whole[LENGTHS - 1]));
    for (size_t n = 0; n < LENGTHS; n++)
        most = larger(most, fabs(f->pieces[n] - f->whole[n]));
    return most;
}

static void claim_company(const Decoder *d) {
    size_t moved = 0, least_moved = SIZE_MAX;
    double differs = 0, alone = INFINITY;
    for (size_t i = 0; i < TRAININGS * d->seeds; i++) {
        const Found(*f)[MAX_SEEDS] = d->found[i / d->seeds];
        size_t s = i % d->seeds;
        for (Kind kind = LAYER_NORM; kind <= RUNNING; kind++) {
            moved += f[kind][s].moved_earlier + f[kind][s].moved_others;
            differs = larger(differs, company_matters(&f[kind][s]));
        }
        const Found *own = &f[OWN][s];
        if (own->moved_earlier < least_moved) least_moved = own->moved_earlier;
        for (size_t n = 0; lengths[n] <= 4; n++)
            alone = smaller(alone, own->alone[n] - f[RUNNING][s].alone[n]);
    }
    claim(moved == 0 && differs < 1e-6,
          "LayerNorm, and BatchNorm's running statistics: %zu outputs of earlier bytes "
          "or other texts move with the last byte of one text; batch and length change "
          "the loss by %.0e (below 1e-6)",
          moved, differs);
    claim((double)least_moved > 0.99 * (LENGTH - 1) * BYTES,
          "BatchNorm's own statistics: %zu of %d outputs of earlier bytes move (above "
          "99 %%)",
          least_moved, (LENGTH - 1) * BYTES);
    claim(alone > 0.5,
          "  and behind the first four bytes of one text they cost %.2f nats or more "
          "(above 0.5)",
          alone);
}

static void claim_training(const Decoder *d) {
    double more[TRAININGS] = {0}, hidden = INFINITY, honest = 0;
    for (size_t i = 0; i < TRAININGS * d->seeds; i++) {
        size_t training = i / d->seeds, s = i % d->seeds;
        const Found *layer = &d->found[training][LAYER_NORM][s],
                    *running = &d->found[training][RUNNING][s];
        double gap = running->by_batch[WHOLE_1] - running->training;
        more[training] +=
            (running->by_batch[WHOLE_1] - layer->by_batch[WHOLE_1]) / (double)d->seeds;
        honest = larger(honest, layer->by_batch[WHOLE_1] - layer->training);
        if (trainings[training].batch == 1) hidden = smaller(hidden, gap);
    }
    claim(more[0] < 0.05,
          "trained on 8 texts: with running statistics BatchNorm's loss is LayerNorm's "
          "%+.3f (at most +0.05)",
          more[0]);
    claim(more[1] > 0.05, "trained on one: it is LayerNorm's %+.3f (above +0.05)",
          more[1]);
    claim(hidden > 0.05 && honest < 0.05,
          "  and above its own training loss by %.3f or more (above 0.05); LayerNorm's "
          "by %.3f or less (below 0.05)",
          hidden, honest);
}

void experiment_batchnorm_decoder(const Settings *settings) {
    static Decoder d;
    d.quick = settings->quick;
    d.seeds = settings->quick ? 2 : MAX_SEEDS;
    run_all(&d, settings->seed);
    write_losses(&d, settings->out);
    write_moved(&d, settings->out);
    print_losses(&d);
    claim_company(&d);
    claim_training(&d);
}

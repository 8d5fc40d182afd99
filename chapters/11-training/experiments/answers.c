/* The loss above the floor, split into the answers of the stories and the rest, while a
 * model learns. */
#include <math.h>
#include <stdio.h>

#include "11-training/answers.h"
#include "11-training/experiments/experiments.h"
#include "11-training/experiments/language_runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { STEPS = 1200, EVERY = 100, POINTS = STEPS / EVERY, LAST = 50 };

typedef struct {
    size_t n_points;
    AnswerLoss at[POINTS];
    double training, drawn, validation; /* losses at the end; see windows_loss */
} AnswerRun;

/* The validation text in windows as training draws them: at the beginning of a story,
 * and cut where 64 tokens end. */
static double windows_loss(Trainer *t, uint64_t seed) {
    const TrainSettings *s = &t->settings;
    Dataset drawn = {.train = t->data->validation, .n_vocab = t->data->n_vocab};
    double sum = 0;
    tape_use_for_inference(&t->tape);
    for (size_t i = 0; i < LAST; i++) {
        dataset_train_batch(&drawn, seed, i, s->batch, s->length, t->inputs,
                            t->targets);
        tape_reset(&t->tape);
        Gpt2Input input = {.tokens = t->inputs, .batch = s->batch, .length = s->length};
        sum += (double)gpt2_loss(&t->tape, t->model, &input, t->targets)->data[0];
    }
    tape_use_for_training(&t->tape);
    return sum / LAST;
}

static void train(AnswerRun *run, const Language *l, uint64_t seed) {
    TrainSettings s =
        language_settings(l, 2, 48, 8, run->n_points * EVERY, 0.008, seed);
    Trainer t = trainer_create(&s, &l->data, NULL);
    for (size_t i = 0; i < run->n_points; i++) {
        while (t.step < (i + 1) * EVERY) trainer_step(&t);
        run->at[i] = answer_loss(&t, l->tokenizer);
    }
    run->training = 0;
    for (size_t i = t.step - LAST; i < t.step; i++)
        run->training += (double)t.log[i].loss / LAST;
    run->drawn = windows_loss(&t, seed);
    run->validation = trainer_validate(&t, 0);
    trainer_free(&t);
}

/* The answers' share of the loss above the floor. */
static double part_of_answers(const AnswerLoss *a) {
    return answers_above_floor(a) / (answers_above_floor(a) + others_above_floor(a));
}

static void write_losses(const AnswerRun *runs, size_t n_seeds, const char *directory) {
    Csv csv = csv_begin(
        directory, "answers",
        "seed,step,share,answers,others,others_floor,answers_above,others_above,part");
    for (size_t k = 0; k < n_seeds; k++) {
        for (size_t i = 0; i < runs[k].n_points; i++) {
            const AnswerLoss *a = &runs[k].at[i];
            csv_row(&csv, "%zu,%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", k + 1,
                    (i + 1) * EVERY, a->share, a->answers, a->others, a->others_floor,
                    answers_above_floor(a), others_above_floor(a), part_of_answers(a));
        }
    }
    csv_commit(&csv);
}

/* Why the training loss is above the validation loss. */
static void compare_windows(const AnswerRun *runs, size_t n_seeds,
                            const char *directory) {
    Csv csv = csv_begin(directory, "windows", "seed,training,drawn,validation");
    double above = INFINITY, apart = 0;
    for (size_t k = 0; k < n_seeds; k++) {
        const AnswerRun *r = &runs[k];
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g", k + 1, r->training, r->drawn,
                r->validation);
        above = smaller(above, r->training - r->validation);
        apart = larger(apart, fabs(r->training - r->drawn));
    }
    csv_commit(&csv);
    claim(above > 0.04,
          "the training loss ends %.3f or more above the validation loss, above 0.04",
          above);
    claim(apart < 0.02,
          "  and within %.3f of the validation text's in windows drawn the same way, "
          "below 0.02",
          apart);
}

void experiment_answers(const Settings *settings) {
    static AnswerRun runs[RUN_SEEDS];
    size_t n_seeds = settings->quick ? 1 : RUN_SEEDS;
    Language l = language_create(settings->seed);
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < n_seeds; k++) {
        runs[k].n_points = settings->quick ? 1 : POINTS;
        train(&runs[k], &l, settings->seed + k);
    }
    write_losses(runs, n_seeds, settings->out);
    double least = INFINITY, most = -INFINITY, dearest = INFINITY;
    for (size_t k = 0; k < n_seeds; k++) {
        const AnswerLoss *last = &runs[k].at[runs[k].n_points - 1];
        printf("  seed %zu: answers %.3f nats a token, floor 0; others %.3f, floor "
               "%.3f; above the floor %.3f + "
               "%.3f\n",
               k + 1, last->answers, last->others, last->others_floor,
               answers_above_floor(last), others_above_floor(last));
        least = smaller(least, part_of_answers(last));
        most = larger(most, part_of_answers(last));
        dearest = smaller(dearest, last->answers / (last->others - last->others_floor));
    }
    claim(dearest > 2,
          "an answer's token is %.1f or more times as far above its floor as another, "
          "above 2",
          dearest);
    claim(most < 0.5,
          "but the answers have only %.0f to %.0f %% of what is above the floor, below "
          "half",
          100 * least, 100 * most);
    compare_windows(runs, n_seeds, settings->out);
    language_free(&l);
}

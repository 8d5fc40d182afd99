/* The judge of open problem 17/train. */
#include "17-one-file/problems/train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "10-gpt2/checkpoint.h"
#include "11-training/train.h"
#include "17-one-file/one_file.h"
#include "17-one-file/problems/alone.h"
#include "base/error.h"
#include "math/fit.h"
#include "program/claim.h"
#include "program/problem.h"

/* run-11's, which has this many steps; the first TRAIN_STEPS of them are compared. */
enum { LAYERS = 2, HEADS = 4, WIDTH = 64, CONTEXT = 128, BATCH = 8, STEPS = 60 };
static const double most = 1e-3;

static TrainSettings settings_of(const Dataset *data, uint64_t seed) {
    Gpt2Config model = gpt2_config(data->n_vocab, CONTEXT, LAYERS, HEADS, WIDTH);
    TrainSettings s = train_settings(&model);
    s.seed = seed;
    s.batch = BATCH;
    s.steps = STEPS;
    s.warmup = 10;
    return s;
}

static void write_tokens(FileWriter *file, const Trainer *t, size_t step) {
    const TrainSettings *s = &t->settings;
    dataset_train_batch(t->data, s->seed, step, s->batch, s->length, t->inputs,
                        t->targets);
    for (size_t b = 0; b < s->batch; b++) {
        const int *inputs = t->inputs + b * s->length;
        for (size_t i = 0; i <= s->length; i++) {
            int id = i < s->length ? inputs[i] : t->targets[(b + 1) * s->length - 1];
            unsigned char bytes[2] = {(unsigned char)id, (unsigned char)(id >> 8)};
            file_write(file, bytes, sizeof bytes);
        }
    }
}

static void write_files(const Trainer *t, const char *path) {
    Directory *d = directory_open(path);
    gpt2_save(t->model, NULL, d);
    FileWriter *tokens = directory_add(d, "tokens.bin");
    for (size_t step = 0; step < TRAIN_STEPS; step++) write_tokens(tokens, t, step);
    directory_commit(d);
    directory_close(d);
}

/* The losses that the learner's program writes; returns how many seconds it took. */
static double read_losses(double losses[TRAIN_STEPS], const char *path) {
    char tokens[4096];
    double seconds;
    snprintf(tokens, sizeof tokens, "%s/tokens.bin", path);
    char *const words[] = {(char *)train_program, (char *)path, tokens, NULL};
    char *text = program_output(words, &seconds), *at = text, *end;
    for (size_t step = 1; step <= TRAIN_STEPS; step++) {
        bool counted = strtoul(at, &end, 10) == step && end > at && *end == ' ';
        losses[step - 1] = counted ? strtod(end, &at) : NAN;
        if (!counted || *at++ != '\n')
            die("%s, line %zu of its output: expected '%zu LOSS'", train_source, step,
                step);
    }
    if (*at) die("%s writes more than %d lines", train_source, TRAIN_STEPS);
    free(text);
    return seconds;
}

/* The likely cause when this step is the first wrong one. */
static const char *cause(size_t step) {
    return step == 1   ? "the loss or what goes before it"
           : step == 2 ? "a gradient, AdamW or the schedule"
           : step == 3
               ? "gradients that are not set to zero, AdamW's moments or the schedule"
               : "the schedule, clipping, decay or a small part of a gradient";
}

/* The largest difference between two lists of losses. */
static double compare(const double theirs[TRAIN_STEPS],
                      const double ours[TRAIN_STEPS]) {
    double worst = 0;
    for (size_t i = 0; i < TRAIN_STEPS; i++) {
        double difference = fabs(theirs[i] - ours[i]);
        if (!(difference <= most) && worst <= most)
            printf("step %zu is the first that differs: %.4f, expected %.4f; look "
                   "first at %s\n",
                   i + 1, theirs[i], ours[i], cause(i + 1));
        worst = isnan(difference) ? INFINITY : larger(worst, difference);
    }
    return worst;
}

static void measure(uint64_t seed) {
    char path[4000];
    double theirs[TRAIN_STEPS], ours[TRAIN_STEPS];
    snprintf(path, sizeof path, "%.3000s-%llu", train_program,
             (unsigned long long)seed);
    Tokenizer *bytes = tokenizer_bytes();
    Dataset data = dataset_corpus(bytes, seed, 4000000, 20000);
    TrainSettings settings = settings_of(&data, seed);
    Trainer t = trainer_create(&settings, &data, NULL);
    write_files(&t, path);
    double seconds = read_losses(theirs, path);
    for (size_t i = 0; i < TRAIN_STEPS; i++) ours[i] = (double)trainer_step(&t).loss;
    double worst = compare(theirs, ours);
    printf("seed %llu: a loss of %.4f at step %d, chapter 11 has %.4f; %.1f s\n",
           (unsigned long long)seed, theirs[TRAIN_STEPS - 1], TRAIN_STEPS,
           ours[TRAIN_STEPS - 1], seconds);
    if (!(worst <= most))
        printf("once more: %s %s %s/tokens.bin\n", train_program, path, path);
    claim(worst <= most, "the losses of %d steps differ by %.1e at most", TRAIN_STEPS,
          worst);
    trainer_free(&t);
    dataset_free(&data);
    tokenizer_free(bytes);
}

static void judge(const Settings *settings) {
    const struct rlimit limit = {TRAIN_SECONDS, TRAIN_SECONDS};
    setrlimit(RLIMIT_CPU, &limit); /* the learner's program inherits it */
    size_t lines = lines_alone("17/train", train_source);
    claim(lines <= TRAIN_LINES, "%zu lines, of at most %d", lines, TRAIN_LINES);
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) measure(settings->seed + k);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "17/train", judge);
}

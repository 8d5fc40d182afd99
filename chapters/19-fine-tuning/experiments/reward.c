/* How many right answers a reward brings, by the price beta of leaving the model that
 * was: beside the optimum, which is known. And what it costs elsewhere. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "11-training/train.h"
#include "12-generation/sampling.h"
#include "19-fine-tuning/experiments/answering.h"
#include "19-fine-tuning/experiments/experiments.h"
#include "19-fine-tuning/group_advantage.h"
#include "19-fine-tuning/log_p.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "program/claim.h"

enum { STEPS = 300, QUESTIONS = 16, UNSEEN_QUESTIONS = 96, GROUP = 16, WAYS = 8 };
enum { ANSWERS = ASKED_AT_ONCE * GROUP };

/* divided: by the group's standard deviation; replay: with old stories in each step. */
static const struct {
    const char *name;
    double beta;
    bool divided, replay;
} ways[WAYS] = {
    {"centred", 2, false, false},   {"centred", 1, false, false},
    {"centred", 0.5, false, false}, {"centred", 0.25, false, false},
    {"divided", 2, true, false},    {"divided", 1, true, false},
    {"divided", 0.5, true, false},  {"replay", 0.25, false, true},
};
enum { LOWEST = 3, FIRST_DIVIDED, REPLAY = WAYS - 1 };

/* Means over the questions that are trained: the share of right answers, the optimum,
 * and the KL divergence from the model before; then right answers to other questions,
 * and what a story costs above its entropy. */
typedef struct {
    double before, after, optimum, kl, unseen_before, unseen, above_before, above;
} Run;

static Run runs[WAYS][TUNED_SEEDS];

typedef struct {
    Questions questions;
    float *reference; /* answers_log_p of the model before */
    size_t way, n_vocab;
    Random random;
} Task;

/* --- a step --- */

/* GROUP answers to each question, drawn from the policy, and their rewards. */
static void draw_answers(Task *task, size_t first, const Tensor *logits, int *answers,
                         float *rewards) {
    const Questions *q = &task->questions;
    SamplingSettings plain = sampling_settings();
    SamplingMemory memory = sampling_memory(task->n_vocab);
    for (size_t i = 0; i < ANSWERS; i++) {
        size_t asked = i / GROUP;
        const float *row =
            logits->data + (asked * q->length + q->at[first + asked]) * task->n_vocab;
        if (i % GROUP == 0) sampling_probabilities(&memory, row, NULL, 0, &plain);
        answers[i] = sampling_draw(memory.probabilities, task->n_vocab,
                                   random_double(&task->random));
        rewards[i] = answers[i] == q->answers[first + asked][0];
    }
    sampling_memory_free(&memory);
}

/* Less the mean of each group. */
static void centre(float *x) {
    for (float *group = x; group < x + ANSWERS; group += GROUP) {
        double sum = 0;
        for (size_t i = 0; i < GROUP; i++) sum += (double)group[i];
        for (size_t i = 0; i < GROUP; i++) group[i] -= (float)(sum / GROUP);
    }
}

static void reward_step(Policy *policy, Task *task) {
    size_t first = policy->step * ASKED_AT_ONCE % QUESTIONS;
    const Questions *q = &task->questions;
    int answers[ANSWERS];
    float gain[ANSWERS], rewards[ANSWERS], weights[ANSWERS];
    Tensor *logits = policy_ask(policy, q, first);
    draw_answers(task, first, logits, answers, rewards);
    Tensor *log_p = log_p_at(&policy->tape, logits, q->at + first, answers, GROUP);
    group_advantage(gain, rewards, ASKED_AT_ONCE, GROUP);
    for (size_t i = 0; i < ANSWERS; i++) {
        const float *before = task->reference + (first + i / GROUP) * task->n_vocab;
        float ratio = log_p->data[i] - before[answers[i]];
        if (!ways[task->way].divided) gain[i] = rewards[i];
        gain[i] -= (float)ways[task->way].beta * ratio;
    }
    centre(gain);
    for (size_t i = 0; i < ANSWERS; i++) weights[i] = -gain[i] / ANSWERS;
    policy_learn(policy, log_p, weights);
}

/* --- the optimum --- */

static double logit(double p) {
    return log_double(p / (1 - p));
}
static double share_of(double logit) {
    return 1 / (1 + exp_double(-logit));
}

/* The mean of a group's standard deviation, where a share p of all answers is right. */
static double mean_deviation(double p) {
    double chance = 1, sum = 0; /* of k right ones */
    for (size_t k = 0; k < GROUP; k++) chance *= 1 - p;
    for (size_t k = 0; k <= GROUP; k++) {
        double right = (double)k / GROUP;
        sum += chance * sqrt(right * (1 - right));
        chance *= p / (1 - p) * (double)(GROUP - k) / (double)(k + 1);
    }
    return sum;
}

/* A reward of 1 moves the logit of the right answer by 1 / beta. Where it is divided by
 * the standard deviation, its pull is the deviation's mean, and else the variance's. */
static double optimum_of(double before, size_t way) {
    double beta = ways[way].beta, start = logit(before), moved = 0, p = before;
    if (!ways[way].divided) return share_of(start + 1 / beta);
    while (beta * moved * p * (1 - p) * (1 - 1.0 / GROUP) < mean_deviation(p)) {
        moved += 1e-3;
        p = share_of(start + moved);
    }
    return p;
}

/* --- the runs --- */

static double mean_right(const float *log_p, const Questions *q, size_t n_vocab) {
    double sum = 0;
    for (size_t i = 0; i < q->n; i++)
        sum += exp_double((double)log_p[i * n_vocab + (size_t)q->answers[i][0]]);
    return sum / (double)q->n;
}

static double mean_optimum(const Task *task) {
    double sum = 0;
    for (size_t i = 0; i < QUESTIONS; i++) {
        size_t right = (size_t)task->questions.answers[i][0];
        double before = exp_double((double)task->reference[i * task->n_vocab + right]);
        sum += optimum_of(before, task->way);
    }
    return sum / QUESTIONS;
}

static double mean_kl(const float *log_p, const Task *task) {
    double sum = 0;
    for (size_t i = 0; i < QUESTIONS * task->n_vocab; i++)
        sum += exp_double((double)log_p[i]) * (double)(log_p[i] - task->reference[i]);
    return sum / QUESTIONS;
}

static Run run(const Base *base, size_t way, size_t steps) {
    const Gpt2 *before = base->model->model;
    size_t n_vocab = before->config.n_vocab;
    Task task = {.questions =
                     questions_create(&base->languages.text[OLD], QUESTIONS, 0),
                 .way = way,
                 .n_vocab = n_vocab,
                 .random = random_stream(base->seed, STREAM_SAMPLING)};
    Questions others =
        questions_create(&base->languages.unseen[OLD], UNSEEN_QUESTIONS, 0);
    task.reference = answers_log_p(before, &task.questions);
    Policy policy = policy_create(base, steps);
    /* the stories that the model was trained on, and no others */
    TuningSettings again = {
        .seed = base->seed, .steps = steps, .batch = ASKED_AT_ONCE, .replay = 1};
    const Stories *text = &base->languages.text[OLD];
    Tuning replay = tuning_create(&again, policy.model, text, text);
    while (policy.step < steps) {
        reward_step(&policy, &task);
        if (ways[way].replay) tuning_step(&replay);
    }
    tuning_free(&replay);

    float *now = answers_log_p(policy.model, &task.questions),
          *others_before = answers_log_p(before, &others),
          *others_now = answers_log_p(policy.model, &others);
    Run r = {.before = mean_right(task.reference, &task.questions, n_vocab),
             .after = mean_right(now, &task.questions, n_vocab),
             .optimum = mean_optimum(&task),
             .kl = mean_kl(now, &task),
             .unseen_before = mean_right(others_before, &others, n_vocab),
             .unseen = mean_right(others_now, &others, n_vocab),
             .above_before = base->before[OLD].above,
             .above =
                 stories_score(&base->languages.unseen[OLD], policy.model, &policy.tape)
                     .above};
    free(now);
    free(others_before);
    free(others_now);
    free(task.reference);
    questions_free(&others);
    questions_free(&task.questions);
    policy_free(&policy);
    return r;
}

static void write_runs(const Settings *settings, size_t seeds) {
    Csv csv = csv_begin(settings->out, "reward",
                        "way,beta,seed,before,after,optimum,kl,unseen_before,unseen,"
                        "above_before,above");
    printf("%-8s %5s %4s  %6s %6s %8s %6s  %13s  %s\n", "", "beta", "seed", "before",
           "after", "optimum", "KL", "unseen", "nats a story");
    for (size_t w = 0; w < WAYS; w++) {
        for (size_t k = 0; k < seeds; k++) {
            const Run *r = &runs[w][k];
            csv_row(&csv, "%s,%g,%llu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g",
                    ways[w].name, ways[w].beta, (unsigned long long)settings->seed + k,
                    r->before, r->after, r->optimum, r->kl, r->unseen_before, r->unseen,
                    r->above_before, r->above);
            printf(
                "%-8s %5g %4zu  %6.3f %6.3f %8.3f %6.3f  %.3f to %.3f  %.2f to %.2f\n",
                ways[w].name, ways[w].beta, k + 1, r->before, r->after, r->optimum,
                r->kl, r->unseen_before, r->unseen, r->above_before, r->above);
        }
    }
    csv_commit(&csv);
}

/* Of the runs first to last - 1: the largest distance from the optimum, and the lowest
 * and the highest cost of a story. */
typedef struct {
    double distance, lowest, highest;
} Range;

static Range range_of(size_t first, size_t last, size_t seeds) {
    Range range = {0, INFINITY, 0};
    for (size_t w = first; w < last; w++) {
        for (size_t k = 0; k < seeds; k++) {
            const Run *r = &runs[w][k];
            range.distance = larger(range.distance, fabs(r->after - r->optimum));
            range.lowest = smaller(range.lowest, r->above);
            range.highest = larger(range.highest, r->above);
        }
    }
    return range;
}

static void claim_runs(size_t seeds) {
    Range centred = range_of(0, FIRST_DIVIDED, seeds),
          divided = range_of(FIRST_DIVIDED, REPLAY, seeds),
          replay = range_of(REPLAY, WAYS, seeds);
    double unseen = 0;
    for (size_t k = 0; k < seeds; k++) unseen = larger(unseen, runs[LOWEST][k].unseen);
    claim(centred.distance < 0.05,
          "right answers come within %.3f of p e^(1/beta) / (1 - p + p e^(1/beta))",
          centred.distance);
    claim(divided.distance < 0.05,
          "divided by the standard deviation, within %.3f of that optimum",
          divided.distance);
    claim(unseen < 0.2, "of other questions at most %.2f are answered right", unseen);
    claim(centred.lowest > 30,
          "a story then costs %.0f nats above its entropy at least", centred.lowest);
    claim(replay.highest < 7 && replay.distance < 0.05,
          "with stories in between it costs %.1f at most, and right answers come "
          "within %.3f",
          replay.highest, replay.distance);
}

void experiment_reward(const Settings *settings) {
    size_t seeds = tuned_seeds(settings->quick),
           steps = tuned_steps(STEPS, settings->quick);
    const Base *bases = bases_create(settings->seed, settings->quick);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < WAYS * seeds; i++)
        runs[i / seeds][i % seeds] = run(&bases[i % seeds], i / seeds, steps);
    write_runs(settings, seeds);
    claim_runs(seeds);
}

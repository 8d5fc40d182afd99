/* What a model learns of votes for the right one of two answers, where some votes are
 * wrong: DPO's margin, beside the one that is best for the votes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "11-training/train.h"
#include "19-fine-tuning/dpo_loss.h"
#include "19-fine-tuning/experiments/answering.h"
#include "19-fine-tuning/experiments/experiments.h"
#include "19-fine-tuning/log_p.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "program/claim.h"

enum { STEPS = 400, LOOKS = 20, PAIRS = 16, WAYS = 5, NO_ERRORS = 0, VOTED_ONCE = 4 };
static const float BETA = 0.5f;

/* The share of votes that are wrong; once: a pair has one vote, and keeps it. */
static const struct {
    double error;
    bool once;
} ways[WAYS] = {{0, false}, {0.05, false}, {0.1, false}, {0.2, false}, {0.1, true}};

/* Means over the pairs. */
typedef struct {
    size_t step;
    double margin;          /* beta times it, towards the right answer */
    double loss;            /* of the votes as they were cast, or would be */
    double right, wrong;    /* what ln p of the two answers has gained */
} Look;

typedef struct {
    Look looks[LOOKS];
    double before, after; /* the share of right answers */
} Run;

static Run runs[WAYS][TUNED_SEEDS];

/* What voting needs. */
typedef struct {
    Questions pairs;
    float *reference; /* answers_log_p of the model before */
    size_t way, n_vocab;
    uint64_t seed;
} Poll;

/* Is the vote on a pair a wrong one? Votes are cast anew each time, or once. */
static bool errs(const Poll *poll, size_t pair, size_t step) {
    Random random = random_stream(poll->seed, STREAM_DATA);
    random.next = 2 * (ways[poll->way].once ? pair : step * PAIRS + pair);
    return random_double(&random) < ways[poll->way].error;
}

//> step
static void preference_step(Policy *policy, const Poll *poll) {
    enum { N = ASKED_AT_ONCE };
    size_t first = policy->step * N % PAIRS;
    const Questions *q = &poll->pairs;
    Tensor *log_p = log_p_at(&policy->tape, policy_ask(policy, q, first), q->at + first,
                             q->answers[first], 2);
    float said[2][N], before[2][N], gradient[2][N], weights[N][2];
    bool wrong[N];
    for (size_t i = 0; i < N; i++) {
        wrong[i] = errs(poll, first + i, policy->step);
        for (size_t k = 0; k < 2; k++) {
            size_t which = k != wrong[i];
            int answer = q->answers[first + i][k];
            said[which][i] = log_p->data[2 * i + k];
            before[which][i] = poll->reference[(first + i) * poll->n_vocab + (size_t)answer];
        }
    }
    dpo_loss(gradient[0], gradient[1], &(PairLogP){said[0], said[1]},
             &(PairLogP){before[0], before[1]}, N, BETA);
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < 2; k++) weights[i][k] = gradient[k != wrong[i]][i];
    }
    policy_learn(policy, log_p, weights[0]);
}
//< step

/* ln(1 + e^x) */
static double softplus(double x) {
    return (x > 0 ? x : 0) + log_double(1 + exp_double(-fabs(x)));
}

static Look look(const Policy *policy, const Poll *poll) {
    float *now = answers_log_p(policy->model, &poll->pairs);
    Look l = {.step = policy->step};
    for (size_t i = 0; i < PAIRS; i++) {
        const int *answer = poll->pairs.answers[i];
        double gained[2];
        for (size_t k = 0; k < 2; k++) {
            size_t at = i * poll->n_vocab + (size_t)answer[k];
            gained[k] = (double)now[at] - (double)poll->reference[at];
        }
        double z = (double)BETA * (gained[0] - gained[1]), e = ways[poll->way].error;
        if (ways[poll->way].once) e = errs(poll, i, 0);
        l.margin += z / PAIRS;
        l.loss += ((1 - e) * softplus(-z) + e * softplus(z)) / PAIRS;
        l.right += gained[0] / PAIRS;
        l.wrong += gained[1] / PAIRS;
    }
    free(now);
    return l;
}

static double share_right(const Gpt2 *model, const Questions *q) {
    float *log_p = answers_log_p(model, q);
    double sum = 0;
    for (size_t i = 0; i < q->n; i++)
        sum += exp_double((double)log_p[i * model->config.n_vocab + (size_t)q->answers[i][0]]);
    free(log_p);
    return sum / (double)q->n;
}

static void run(Run *r, const Base *base, size_t way, size_t steps) {
    const Gpt2 *before = base->model->model;
    Poll poll = {
        .pairs = questions_create(&base->languages.text[OLD], PAIRS, base->seed),
        .way = way,
        .n_vocab = before->config.n_vocab,
        .seed = base->seed};
    poll.reference = answers_log_p(before, &poll.pairs);
    Policy policy = policy_create(base, steps);
    for (size_t l = 0; l < LOOKS; l++) {
        while (policy.step < (l + 1) * steps / LOOKS) preference_step(&policy, &poll);
        r->looks[l] = look(&policy, &poll);
    }
    r->before = share_right(before, &poll.pairs);
    r->after = share_right(policy.model, &poll.pairs);
    policy_free(&policy);
    questions_free(&poll.pairs);
    free(poll.reference);
}

static double best_margin(double e) {
    return e > 0 ? log_double((1 - e) / e) : INFINITY;
}

static double entropy(double e) {
    return e > 0 ? -e * log_double(e) - (1 - e) * log_double(1 - e) : 0;
}

static void write_runs(const Settings *settings, size_t seeds) {
    Csv csv = csv_begin(settings->out, "preferences",
                        "error,once,seed,step,margin,best,loss,entropy,right,wrong,"
                        "before,after");
    printf("wrong votes  once seed   margin     best     loss  entropy   right  wrong  "
           "p\n");
    for (size_t w = 0; w < WAYS; w++) {
        double e = ways[w].error;
        for (size_t k = 0; k < seeds; k++) {
            const Run *r = &runs[w][k];
            for (size_t l = 0; l < LOOKS; l++) {
                const Look *at = &r->looks[l];
                csv_row(&csv, "%g,%d,%llu,%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g",
                        e, ways[w].once, (unsigned long long)settings->seed + k,
                        at->step, at->margin, best_margin(e), at->loss, entropy(e),
                        at->right, at->wrong, r->before, r->after);
            }
            const Look *at = &r->looks[LOOKS - 1];
            printf("%11g %5s %4zu %8.3f %8.3f %8.4f %8.4f %7.2f %6.2f  %.3f to %.3f\n", e,
                   ways[w].once ? "yes" : "no", k + 1, at->margin, best_margin(e),
                   at->loss, entropy(e), at->right, at->wrong, r->before, r->after);
        }
    }
    csv_commit(&csv);
}

void experiment_preferences(const Settings *settings) {
    size_t seeds = tuned_seeds(settings->quick),
           steps = tuned_steps(STEPS, settings->quick);
    const Base *bases = bases_create(settings->seed, settings->quick);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < WAYS * seeds; i++)
        run(&runs[i / seeds][i % seeds], &bases[i % seeds], i / seeds, steps);
    write_runs(settings, seeds);
}

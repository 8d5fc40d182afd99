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
enum { VOTERS = 10, VOTES = ASKED_AT_ONCE * VOTERS };
static const float BETA = 0.5f;

/* The share of votes that are wrong; once: a pair keeps its first vote. */
static const struct {
    double error;
    bool once;
} ways[WAYS] = {{0, false}, {0.05, false}, {0.1, false}, {0.2, false}, {0.1, true}};

/* Means over the pairs. */
typedef struct {
    size_t step;
    double margin;       /* beta times it, towards the right answer */
    double loss;         /* of the votes that were cast, or are to be expected */
    double right, wrong; /* what ln p of the two answers has gained */
} Look;

static Look runs[WAYS][TUNED_SEEDS][LOOKS];

/* What voting needs. */
typedef struct {
    Questions pairs;
    float *reference; /* answers_log_p of the model before */
    size_t way, n_vocab;
    uint64_t seed;
} Poll;

/* Is a vote on a pair a wrong one? Votes are cast anew each time, or once. */
static bool errs(const Poll *poll, size_t pair, size_t vote) {
    Random random = random_stream(poll->seed, STREAM_DATA);
    random.next = 2 * (ways[poll->way].once ? pair : vote * PAIRS + pair);
    return random_double(&random) < ways[poll->way].error;
}

static float said_before(const Poll *poll, size_t pair, int answer) {
    return poll->reference[pair * poll->n_vocab + (size_t)answer];
}

/* Each pair is put to VOTERS; of the two answers the right one comes first. */
static void preference_step(Policy *policy, const Poll *poll) {
    const Questions *q = &poll->pairs;
    size_t first = policy->step * ASKED_AT_ONCE % PAIRS;
    Tensor *logits = policy_ask(policy, q, first),
           *log_p =
               log_p_at(&policy->tape, logits, q->at + first, q->answers[first], 2);
    float now[2][VOTES], before[2][VOTES], gradient[2][VOTES],
        weights[2 * ASKED_AT_ONCE] = {0};
    bool wrong[VOTES];
    for (size_t v = 0; v < VOTES; v++) {
        size_t pair = v / VOTERS;
        wrong[v] = errs(poll, first + pair, policy->step * VOTERS + v % VOTERS);
        for (size_t k = 0; k < 2; k++) {
            size_t side = k != wrong[v]; /* 0: chosen, 1: rejected */
            now[side][v] = log_p->data[2 * pair + k];
            before[side][v] =
                said_before(poll, first + pair, q->answers[first + pair][k]);
        }
    }
    dpo_loss(gradient[0], gradient[1], &(PairLogP){now[0], now[1]},
             &(PairLogP){before[0], before[1]}, VOTES, BETA);
    for (size_t i = 0; i < 2 * VOTES; i++) {
        size_t v = i / 2, k = i % 2;
        weights[v / VOTERS * 2 + k] += gradient[k != wrong[v]][v];
    }
    policy_learn(policy, log_p, weights);
}

/* ln(1 + e^x) */
static double softplus(double x) {
    return (x > 0 ? x : 0) + log_double(1 + exp_double(-fabs(x)));
}

static Look look(const Policy *policy, const Poll *poll) {
    float *now = answers_log_p(policy->model, &poll->pairs);
    Look l = {.step = policy->step};
    for (size_t i = 0; i < PAIRS; i++) {
        double gained[2];
        for (size_t k = 0; k < 2; k++) {
            int answer = poll->pairs.answers[i][k];
            float log_p = now[i * poll->n_vocab + (size_t)answer];
            gained[k] = (double)(log_p - said_before(poll, i, answer));
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

static void run(Look looks[LOOKS], const Base *base, size_t way, size_t steps) {
    const Gpt2 *before = base->model->model;
    Poll poll = {.pairs =
                     questions_create(&base->languages.text[OLD], PAIRS, base->seed),
                 .way = way,
                 .n_vocab = before->config.n_vocab,
                 .seed = base->seed};
    poll.reference = answers_log_p(before, &poll.pairs);
    Policy policy = policy_create(base, steps);
    for (size_t l = 0; l < LOOKS; l++) {
        while (policy.step < (l + 1) * steps / LOOKS) preference_step(&policy, &poll);
        looks[l] = look(&policy, &poll);
    }
    policy_free(&policy);
    questions_free(&poll.pairs);
    free(poll.reference);
}

/* --- what came of it --- */

static double best_margin(double e) {
    return e > 0 ? log_double((1 - e) / e) : INFINITY;
}

static double entropy(double e) {
    return e > 0 ? -e * log_double(e) - (1 - e) * log_double(1 - e) : 0;
}

static void write_runs(const Settings *settings, size_t seeds) {
    Csv csv =
        csv_begin(settings->out, "preferences",
                  "error,once,seed,step,last,margin,best,loss,entropy,right,wrong");
    printf("wrong votes  once  seed   margin     best     loss  entropy    right    "
           "wrong\n");
    for (size_t i = 0; i < WAYS * seeds; i++) {
        size_t w = i / seeds, k = i % seeds;
        double e = ways[w].error;
        for (size_t l = 0; l < LOOKS; l++) {
            const Look *at = &runs[w][k][l];
            csv_row(&csv, "%g,%d,%llu,%zu,%d,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", e,
                    ways[w].once, (unsigned long long)settings->seed + k, at->step,
                    l == LOOKS - 1, at->margin, best_margin(e), at->loss, entropy(e),
                    at->right, at->wrong);
        }
        const Look *end = &runs[w][k][LOOKS - 1];
        printf("%11g %5s %5zu %8.3f %8.3f %8.4f %8.4f %8.2f %8.2f\n", e,
               ways[w].once ? "yes" : "no", k + 1, end->margin, best_margin(e),
               end->loss, entropy(e), end->right, end->wrong);
    }
    csv_commit(&csv);
}

static void claim_runs(size_t seeds) {
    double margin = 0, loss = 0, grown = INFINITY, right = -INFINITY, once = 0;
    for (size_t k = 0; k < seeds; k++) {
        for (size_t w = NO_ERRORS + 1; w < VOTED_ONCE; w++) {
            const Look *end = &runs[w][k][LOOKS - 1];
            margin = larger(margin, fabs(end->margin - best_margin(ways[w].error)));
            loss = larger(loss, fabs(end->loss - entropy(ways[w].error)));
            right = larger(right, end->right);
        }
        grown = smaller(grown, runs[NO_ERRORS][k][LOOKS - 1].margin);
        once = larger(once, runs[VOTED_ONCE][k][LOOKS - 1].loss);
    }
    claim(margin < 0.3,
          "beta times the margin ends within %.2f nats of ln((1 - e) / e)", margin);
    claim(loss < 0.02, "the loss ends within %.4f nats of the votes' entropy", loss);
    claim(grown > 6, "without wrong votes it grows to %.1f at least", grown);
    claim(right < 0,
          "with wrong votes ln p of the right answer falls, by %.2f at least", -right);
    claim(once < 0.05, "where each pair keeps its one vote, the loss ends below %.4f",
          once);
}

void experiment_preferences(const Settings *settings) {
    size_t seeds = tuned_seeds(settings->quick),
           steps = tuned_steps(STEPS, settings->quick);
    const Base *bases = bases_create(settings->seed, settings->quick);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < WAYS * seeds; i++) {
        size_t way = i / seeds, k = i % seeds;
        run(runs[way][k], &bases[k], way, steps);
    }
    write_runs(settings, seeds);
    claim_runs(seeds);
}

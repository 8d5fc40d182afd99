/* A language model that reads its answers, and one that cannot: their losses, and their
 * sentences. */
#include <math.h>
#include <stdio.h>

#include "07-attention/experiments/experiments.h"
#include "07-attention/experiments/leak_model.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"

enum {
    STEPS = 300,
    QUICK_STEPS = 50,
    SEEDS = 5,
    QUICK_SEEDS = 2,
    POINTS = STEPS / LEAK_EVERY + 1
};
enum { WRITTEN = LEAK_LENGTH - 1 };

/* The results of one training: causal or not, in one language. */
typedef struct {
    double loss[POINTS];
    LeakWriting writing;
} Run;

typedef struct {
    size_t seeds, points;
    Run run[SEEDS][2][2]; /* by seed, language, causal */
} Runs;

static void train_all(Runs *runs, size_t steps, uint64_t first_seed) {
    runs->points = steps / LEAK_EVERY + 1;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < 4 * runs->seeds; i++) {
        size_t s = i / 4, language = i / 2 % 2, causal = i % 2;
        Run *run = &runs->run[s][language][causal];
        leak_train(run->loss, &run->writing, (LeakLanguage)language, causal, steps,
                   first_seed + s);
    }
}

static void write_files(const Settings *settings, const Runs *runs) {
    Csv csv = csv_begin(settings->out, "leak", "seed,step,full,causal,floor");
    for (size_t s = 0; s < runs->seeds; s++) {
        const Run *run = runs->run[s][LEAK_RANDOM];
        for (size_t i = 0; i < runs->points; i++) {
            csv_row(&csv, "%zu,%zu,%.6g,%.6g,%.6g", s + 1, i * LEAK_EVERY,
                    run[0].loss[i], run[1].loss[i], log_double(LEAK_WORDS));
        }
    }
    csv_commit(&csv);
    csv = csv_begin(settings->out, "leak-writing",
                    "seed,mask,loss,entropy,word,follows,repeats,language,"
                    "language_repeats,given,full");
    for (size_t i = 0; i < 2 * runs->seeds; i++) {
        size_t s = i % runs->seeds, causal = i / runs->seeds;
        const Run *run = &runs->run[s][LEAK_RULE][causal];
        for (size_t word = 1; word <= WRITTEN; word++) {
            csv_row(&csv, "%zu,%s,%.6g,%.6g,%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", s + 1,
                    causal ? "causal" : "none", run->loss[runs->points - 1],
                    leak_rule_entropy(), word, run->writing.follows[word - 1],
                    run->writing.repeats[word - 1], leak_rule_share(),
                    run->writing.language_repeats[word - 1],
                    run->writing.given[word - 1], run->writing.given[LEAK_LENGTH - 1]);
        }
    }
    csv_commit(&csv);
}

static void claim_random_words(const Runs *runs) {
    double lowest = INFINITY, farthest = 0,
           guesses = log_double(LEAK_WORDS) / LEAK_LENGTH;
    for (size_t s = 0; s < runs->seeds; s++) {
        const Run *run = runs->run[s][LEAK_RANDOM];
        farthest = larger(farthest, fabs(run[0].loss[runs->points - 1] / guesses - 1));
        for (size_t i = 0; i < runs->points; i++)
            lowest = smaller(lowest, run[1].loss[i]);
    }
    /* The last position of a sentence has no word behind it to look at: 1 of 8 stays a
     * guess. */
    claim(farthest < 0.1,
          "random words, no mask: all but the last word are read; the loss is within "
          "%.1f %% of ln(16) / 8 = "
          "%.3f",
          100 * farthest, guesses);
    claim(lowest > 0.99 * log_double(LEAK_WORDS),
          "random words, causal: the loss stays at the floor: lowest %.3f, ln(16) is "
          "%.3f",
          lowest, log_double(LEAK_WORDS));
}

static void print_writing(const Runs *runs) {
    printf("  words 1 to %d of what is written: the share that follows the rule\n",
           WRITTEN);
    for (size_t i = 0; i < 2 * runs->seeds; i++) {
        size_t s = i / 2, causal = i % 2;
        const Run *run = &runs->run[s][LEAK_RULE][causal];
        printf("  seed %zu %-7s loss %.3f ", s + 1, causal ? "causal" : "no mask",
               run->loss[runs->points - 1]);
        for (size_t word = 0; word < WRITTEN; word++)
            printf("  %.2f", run->writing.follows[word]);
        printf("\n");
    }
}

static void claim_writing(const Runs *runs) {
    double off = 0, honest_mean = 0, most = 0, worst_lead = INFINITY,
           repeats = INFINITY;
    for (size_t s = 0; s < runs->seeds; s++) {
        const Run *leaky = &runs->run[s][LEAK_RULE][0],
                  *honest = &runs->run[s][LEAK_RULE][1];
        double end = honest->loss[runs->points - 1];
        honest_mean += end / (double)runs->seeds;
        worst_lead = smaller(worst_lead, end - leaky->loss[runs->points - 1]);
        double mean = 0;
        for (size_t i = 0; i < WRITTEN; i++) {
            off = larger(off, fabs(honest->writing.follows[i] - leak_rule_share()));
            mean += leaky->writing.follows[i] / WRITTEN;
            repeats = smaller(repeats, leaky->writing.repeats[i]);
        }
        most = larger(most, mean);
    }
    claim(
        worst_lead > 0.5,
        "a language with a rule: without a mask the loss is lower by %.2f nats or more",
        worst_lead);
    claim(fabs(honest_mean / leak_rule_entropy() - 1) < 0.03,
          "causal: the mean loss is %.3f, within 3 %% of the language's entropy, %.3f "
          "nats",
          honest_mean, leak_rule_entropy());
    claim(off < 0.1,
          "causal: what it writes follows the rule as the language does (%.2f), within "
          "%.2f at each word",
          leak_rule_share(), off);
    claim(most < 1.0 / LEAK_WORDS && repeats > 0.5,
          "no mask: %.3f of its words follow the rule, or fewer (a die: %.4f); %.2f or "
          "more repeat a word "
          "that is there",
          most, 1.0 / LEAK_WORDS, repeats);
}

void experiment_leak(const Settings *settings) {
    static Runs runs;
    runs.seeds = settings->quick ? QUICK_SEEDS : SEEDS;
    train_all(&runs, settings->quick ? QUICK_STEPS : STEPS, settings->seed);
    write_files(settings, &runs);
    print_writing(&runs);
    claim_random_words(&runs);
    claim_writing(&runs);
}

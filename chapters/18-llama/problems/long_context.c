/* The judge of open problem 18/long_context. */
#include "18-llama/problems/long_context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "18-llama/experiments/small_models.h"
#include "base/error.h"
#include "program/problem.h"

enum { APART = 8, LONGEST = 512, WINDOWS = 20 };

static Rotary asked_for(const Rotary *trained, size_t wanted) {
    Rotary first = *trained, second = *trained;
    size_t n = trained->n_pairs, behind = ROTARY_MOST_PAIRS - n;
    long_context(first.frequencies, n, TRAINED, wanted);
    long_context(second.frequencies, n, TRAINED, wanted);
    if (memcmp(first.frequencies + n, trained->frequencies + n,
               behind * sizeof *first.frequencies) != 0)
        die("for %zu tokens: written behind the %zu frequencies", wanted, n);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(first.frequencies[i]))
            die("for %zu tokens: frequency %zu is %g, expected a finite number", wanted,
                i, (double)first.frequencies[i]);
        if (first.frequencies[i] != second.frequencies[i])
            die("for %zu tokens: frequency %zu is %g, and at the second call %g",
                wanted, i, (double)first.frequencies[i], (double)second.frequencies[i]);
    }
    return first;
}

/* The mean loss of texts of this length, nats a byte. */
static double loss_at(const SmallRuns *small, const Gpt2 *model, size_t length) {
    Tape t = tape_for_inference();
    size_t apart = (small->unseen_bytes - length - 1) / WINDOWS;
    double sum = 0;
    for (size_t w = 0; w < WINDOWS; w++) {
        const int *tokens = small->unseen + w * apart;
        Gpt2Input input = {.tokens = tokens, .batch = 1, .length = length};
        const float *logits = gpt2_logits(&t, model, &input)->data;
        float logsumexp[LONGEST];
        sum +=
            (double)cross_entropy_forward(logsumexp, logits, tokens + 1, length, BYTES);
        tape_reset(&t);
    }
    tape_free(&t);
    return sum / WINDOWS;
}

/* The longest texts within the bound. */
static size_t reach(const SmallRuns *small, Gpt2 *model) {
    const Rotary trained = model->config.block.rotary;
    size_t length = TRAINED;
    for (; length <= LONGEST; length += APART) {
        Rotary rotary = asked_for(&trained, length);
        for (size_t l = 0; l < LAYERS; l++)
            model->blocks[l].attn.config.rotary = rotary;
        if (!(loss_at(small, model, length) <= LONG_LOSS)) break;
    }
    return length - APART;
}

static void judge(const Settings *settings) {
    double reached[PROBLEM_SEEDS];
    SmallRuns small = small_runs_begin(settings);
    small.steps = LONG_STEPS;
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        Gpt2Config config = small_llama();
        config.n_ctx = LONGEST;
        Gpt2 *model = small_trained(&small, &config, settings->seed + k);
        reached[k] = (double)reach(&small, model);
        printf("seed %zu: texts of %.0f tokens, with a mean loss of %.2f at most\n",
               k + 1, reached[k], LONG_LOSS);
        gpt2_free(model);
    }
    problem_at_least("tokens", reached, LONG);
    small_runs_end(&small);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "18/long_context", judge);
}

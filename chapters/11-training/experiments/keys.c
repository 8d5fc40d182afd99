/* The FFNs of a trained GPT-2 as memories (Geva et al. 2021), by layer: keys.h of
 * chapter 10, three times. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "10-gpt2/keys.h"
#include "11-training/experiments/experiments.h"
#include "11-training/experiments/language_runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { LAYERS = 4, WIDTH = 64, BATCH = 16, STEPS = 400, QUICK_STEPS = 30 };
static const double rate = 3e-3;

void experiment_keys(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : RUN_SEEDS,
           steps = settings->quick ? QUICK_STEPS : STEPS;
    Language language = language_create(settings->seed);
    const int *tokens = language.data.validation.tokens;
    Csv csv = csv_begin(settings->out, "keys", "seed,layer,k,own,others");
    double least = INFINITY, own[LAYERS] = {0};
    printf("%4s %5s %14s %14s\n", "seed", "layer", "its own key", "another's key");
    for (size_t s = 0; s < seeds; s++) {
        TrainSettings training = language_settings(&language, LAYERS, WIDTH, BATCH,
                                                   steps, rate, settings->seed + s);
        Trainer t = trainer_create(&training, &language.data, NULL);
        train_to_end(&t);
        KeyUnit *units = keys_read(t.model, tokens, language.data.validation.n);
        for (size_t layer = 0; layer < LAYERS; layer++) {
            for (size_t k = 1; k <= VALUE_TOKENS; k++) {
                KeyAgreement a = keys_agreement(units + layer * 4 * WIDTH, 4 * WIDTH,
                                                tokens, language.data.n_vocab, k);
                csv_row(&csv, "%zu,%zu,%zu,%.6g,%.6g", (size_t)settings->seed + s,
                        layer + 1, k, a.own, a.others);
                if (k > 1) continue;
                printf("%4zu %5zu %14.3f %14.3f\n", (size_t)settings->seed + s,
                       layer + 1, a.own, a.others);
                own[layer] += a.own / (double)seeds;
                least = smaller(least, a.own / a.others);
            }
        }
        if (s == 0) keys_print(units, t.model, language.tokenizer, tokens);
        free(units);
        trainer_free(&t);
    }
    csv_commit(&csv);
    language_free(&language);
    size_t most = 0;
    for (size_t layer = 1; layer < LAYERS; layer++)
        most = own[layer] > own[most] ? layer : most;
    claim(least > 2,
          "in every layer a value's first token follows its own key's place %.1f times "
          "as often as "
          "another's, or more (above 2)",
          least);
    claim(own[0] > own[most] / 2,
          "the first layer (%.2f) is not behind: more than half of the most, %.2f in "
          "layer %zu",
          own[0], own[most], most + 1);
}

/* Learning to answer, with the mask over the story and the question and without. */
#include <stdio.h>

#include "19-fine-tuning/experiments/experiments.h"
#include "19-fine-tuning/experiments/tuned_models.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"

enum { STEPS = 600, WITHOUT = 0, WITH = 1 };

void experiment_mask(const Settings *settings) {
    static Tuned runs[2][TUNED_SEEDS];
    size_t seeds = tuned_seeds(settings->quick), better = 0, lower = 0;
    const Base *bases = bases_create(settings->seed, settings->quick);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < 2 * seeds; run++) {
        TuningSettings s = {.steps = tuned_steps(STEPS, settings->quick),
                            .answers_only = run / seeds};
        runs[run / seeds][run % seeds] = base_tune(&bases[run % seeds], &s, false);
    }
    Csv csv = csv_begin(settings->out, "mask", "mask,seed,right,above,before");
    printf("mask seed  right answers  all tokens, above the entropy\n");
    for (size_t m = WITHOUT; m <= WITH; m++) {
        for (size_t k = 0; k < seeds; k++) {
            const StoriesScore *s = &runs[m][k].score[NEW];
            csv_row(&csv, "%zu,%llu,%.6g,%.6g,%.6g", m,
                    (unsigned long long)settings->seed + k, s->right, s->above,
                    bases[k].before[NEW].right);
            printf("%4s %4zu %14.3f %30.2f\n", m ? "yes" : "no", k + 1, s->right,
                   s->above);
        }
    }
    csv_commit(&csv);
    for (size_t k = 0; k < seeds; k++) {
        const StoriesScore *with = &runs[WITH][k].score[NEW],
                           *without = &runs[WITHOUT][k].score[NEW];
        better += with->right > without->right + 0.05;
        lower += without->above < with->above;
    }
    claim(
        better == seeds && lower == seeds,
        "with the mask more answers are right, by 5 %% of all at least, in %zu of %zu "
        "seeds, and the loss over all tokens is higher in %zu",
        better, seeds, lower);
}

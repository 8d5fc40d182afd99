/* A stack trained with dropout, used in three ways: dropout off; still on; off, after a
 * training that had forgotten the division by 1 - p. */
#include <math.h>
#include <stdio.h>

#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { PS = 3, LAYERS = 6, STEPS = 1000, FRESH = 2048 };

static const float ps[PS] = {0.1f, 0.3f, 0.5f};

/* Losses on fresh inputs. */
typedef struct {
    double off, on, unscaled;
} Uses;

/* A training that does not divide by 1 - p gets the same branches from weights that are
 * larger by 1 / (1 - p). In use, without dropout, they are then that much too large. */
static void use(Run *run, const Stack *s, size_t step, float loss) {
    (void)loss;
    if (step < run->steps) return;
    Uses *u = run->context;
    u->off = fresh_loss(s, FRESH, false);
    u->on = fresh_loss(s, FRESH, true);
    scale_branches(s, 1.0f / (1.0f - run->dropout));
    u->unscaled = fresh_loss(s, FRESH, false);
}

void experiment_dropout(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : RUN_SEEDS;
    Csv csv = csv_begin(settings->out, "dropout", "p,seed,off,on,unscaled");
    double lead_on = INFINITY, lead_unscaled = INFINITY;
    for (size_t i = 0; i < PS; i++) {
        for (size_t k = 0; k < seeds; k++) {
            Uses u = {0};
            run_train(&(Run){.scheme = &schemes[PRE],
                             .depth = LAYERS,
                             .steps = settings->quick ? STEPS / 10 : STEPS,
                             .rate = 0.002,
                             .seed = settings->seed + k,
                             .dropout = ps[i],
                             .on_step = use,
                             .context = &u});
            csv_row(&csv, "%g,%zu,%.6g,%.6g,%.6g", (double)ps[i], k + 1, u.off, u.on,
                    u.unscaled);
            printf("  p = %.1f, seed %zu: off %.3f, still on %.3f, trained without the "
                   "division %.3f\n",
                   (double)ps[i], k + 1, u.off, u.on, u.unscaled);
            lead_on = smaller(lead_on, u.on - u.off);
            if (i == PS - 1) lead_unscaled = smaller(lead_unscaled, u.unscaled - u.off);
        }
    }
    csv_commit(&csv);
    claim(lead_on > 0,
          "off is better than still on for every p and seed, by %.3f or more", lead_on);
    claim(lead_unscaled > 0,
          "p = 0.5: a training without the division costs %.3f or more in each seed",
          lead_unscaled);
}

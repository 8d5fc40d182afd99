/* How far the output moves when every weight moves by one percent (Liu et al. 2020). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/schemes.h"
#include "claim.h"
#include "csv.h"
#include "fit.h"
#include "memory.h"

enum { KINDS = 4, DEPTHS = 6, MAX_SEEDS = 40, INPUTS = 16, STREAM_DATA = 1, STREAM_NOISE };

static const size_t kinds[KINDS] = {POST, PRE, PRE_SCALED, ADMIN};
enum { AS_POST, AS_PRE, AS_PRE_SCALED, AS_ADMIN };
static const size_t depths[DEPTHS] = {3, 6, 12, 24, 48, 96};

/* Adds noise of `share` of its root mean square to each weight of the sublayers. */
static void disturb(const Stack *s, Random *noise, float share) {
    for (size_t l = 0; l < s->config.depth; l++) {
        Tensor *weights[] = {s->mlps[l].up.weight, s->mlps[l].down.weight};
        for (size_t i = 0; i < 2; i++) {
            Tensor *w = weights[i];
            float size = share * (float)sqrt(mean_square(w));
            for (size_t j = 0; j < tensor_size(w); j++) w->data[j] += size * (float)random_normal(noise);
        }
    }
}

//> shift
static double shift(const Scheme *scheme, size_t depth, uint64_t seed) {
    Network n = network_create(scheme, D_MODEL, 2 * D_MODEL, seed, depth);
    Random data = random_stream(seed, STREAM_DATA), noise = random_stream(seed, STREAM_NOISE);
    Tape t = tape_for_inference();
    Tensor *x = tape_tensor(&t, 2, (size_t[]){INPUTS, D_MODEL}, false);
    random_fill_normal(&data, x->data, INPUTS * D_MODEL, 1.0f);
    Tensor *before = stack(&t, &n.stack, x);
    disturb(&n.stack, &noise, 0.01f);
    double moved = mean_square(tape_add(&t, stack(&t, &n.stack, x), tape_scale(&t, before, -1.0f)));
    tape_free(&t);
    network_free(&n);
    return moved;
}
//< shift

void experiment_output_shift(const Settings *settings) {
    size_t seeds = settings->quick ? 4 : MAX_SEEDS;
    double mean[KINDS][DEPTHS], x[DEPTHS], slope[KINDS], one[MAX_SEEDS];
    Csv csv = csv_begin(settings->out, "05-output-shift", "scheme,layers,shift,low,high");
    Csv slopes = csv_begin(settings->out, "05-output-shift-slope", "scheme,slope");
    printf("  %-10s", "layers");
    for (size_t d = 0; d < DEPTHS; d++) printf(" %8zu", depths[d]);
    printf("   slope\n");
    for (size_t i = 0; i < KINDS; i++) {
        const char *name = schemes[kinds[i]].name;
        printf("  %-10s", name);
        for (size_t d = 0; d < DEPTHS; d++) {
            for (size_t k = 0; k < seeds; k++)
                one[k] = shift(&schemes[kinds[i]], depths[d], settings->seed + k);
            mean[i][d] = geometric_mean(one, seeds);
            x[d] = (double)depths[d];
            double low = quantile(one, seeds, 0.25), high = quantile(one, seeds, 0.75);
            csv_row(&csv, "%s,%zu,%.6g,%.6g,%.6g", name, depths[d], mean[i][d], low, high);
            printf(" %8.2g", mean[i][d]);
        }
        slope[i] = fit_exponent(x, mean[i], DEPTHS);
        printf(" %7.2f\n", slope[i]);
        csv_row(&slopes, "%s,%.6g", name, slope[i]);
    }
    csv_commit(&csv);
    csv_commit(&slopes);
    claim(fabs(slope[AS_POST] - 0.93) < 0.15, "post-LN: the shift grows as L^%.2f, expected about 0.9",
          slope[AS_POST]);
    claim(slope[AS_PRE] < 0.45, "pre-LN: as L^%.2f, below 0.45", slope[AS_PRE]);
    claim(slope[AS_ADMIN] < 0.45, "Admin: as L^%.2f, below 0.45", slope[AS_ADMIN]);
    double early = mean[AS_PRE][2] - mean[AS_PRE][1], late = mean[AS_PRE][5] - mean[AS_PRE][4];
    claim(late < 2 * early && late > early / 2,
          "pre-LN: doubling 48 adds %.2g, doubling 6 %.2g: logarithmic, within a factor of 2", late, early);
    claim(mean[AS_PRE_SCALED][DEPTHS - 1] < mean[AS_PRE][DEPTHS - 1],
          "GPT-2's scaling: %.2g at 96 layers, below %.2g", mean[AS_PRE_SCALED][DEPTHS - 1],
          mean[AS_PRE][DEPTHS - 1]);
}

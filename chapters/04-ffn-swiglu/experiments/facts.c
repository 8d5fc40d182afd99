/* How many random facts an FFN holds, by its width. */
#include <math.h>
#include <stdio.h>

#include "04-ffn-swiglu/experiments/experiments.h"
#include "04-ffn-swiglu/experiments/fact_task.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"

enum { STEPS = 600, QUICK_STEPS = 300, SEEDS = 3 };
static const FfnKind kinds[] = {FFN_RELU, FFN_SWIGLU};
/* of a plain FFN; a gated one has 2/3 */
static const size_t widths[] = {12, 24, 48, 96};
/* facts for each unit of the plain one */
static const size_t loads[] = {11, 13, 16, 19, 22, 27};
enum {
    KINDS = sizeof kinds / sizeof *kinds,
    WIDTHS = sizeof widths / sizeof *widths,
    LOADS = sizeof loads / sizeof *loads,
    QUICK_WIDTHS = 2
};

static const double CAPACITY_SHARE = 0.9;

/* The number of facts of which 9 in 10 are held, between two loads on a logarithmic
 * scale; NaN if no load is it. */
static double capacity(const double held[LOADS], size_t width) {
    const double share = CAPACITY_SHARE;
    for (size_t i = 1; i < LOADS; i++) {
        if (held[i - 1] < share || held[i] >= share) continue;
        double part = (held[i - 1] - share) / (held[i - 1] - held[i]);
        double step = log_double((double)loads[i] / (double)loads[i - 1]);
        return (double)(width * loads[i - 1]) * exp_double(part * step);
    }
    return NAN;
}

typedef struct {
    size_t seeds, n_widths;
    double held[KINDS][SEEDS][WIDTHS][LOADS], capacity[KINDS][SEEDS][WIDTHS];
    double slope[KINDS][SEEDS]; /* k in capacity ~ d_ff^k */
} Memory;

static void measure(Memory *memory, size_t steps, uint64_t first_seed) {
#pragma omp parallel for schedule(dynamic)
    for (size_t run = memory->n_widths * KINDS * memory->seeds * LOADS; run > 0;
         run--) { /* the longest first */
        size_t rest = run - 1, l = rest % LOADS, s = (rest /= LOADS) % memory->seeds;
        size_t k = (rest /= memory->seeds) % KINDS, w = rest / KINDS;
        memory->held[k][s][w][l] =
            share_held(&(FactRun){.kind = kinds[k],
                                  .width = widths[w],
                                  .n_facts = loads[l] * widths[w],
                                  .steps = steps,
                                  .seed = first_seed + s,
                                  .forward = ffn});
    }
}

/* The information about a name in an answer of one of FACT_WIDTH that is right with the
 * probability CAPACITY_SHARE: the bits of a name, less those of a wrong one. */
static double bits_of_a_fact(void) {
    double wrong = 1 - CAPACITY_SHARE;
    double nats = log_double(FACT_WIDTH) + CAPACITY_SHARE * log_double(CAPACITY_SHARE) +
                  wrong * log_double(wrong / (FACT_WIDTH - 1));
    return nats / log_double(2);
}

/* Both kinds have 2 FACT_WIDTH weights for each of d_ff. */
static void write_memory(const Settings *settings, Memory *memory) {
    const double bits = bits_of_a_fact(), weights = 2 * FACT_WIDTH;
    double width[WIDTHS];
    for (size_t w = 0; w < memory->n_widths; w++) width[w] = (double)widths[w];
    Csv sums =
        csv_begin(settings->out, "capacity", "kind,seed,d_ff,capacity,bits_per_weight");
    Csv slopes = csv_begin(settings->out, "capacity-slope", "kind,seed,slope");
    for (size_t k = 0; k < KINDS; k++) {
        for (size_t s = 0; s < memory->seeds; s++) {
            size_t seed = (size_t)settings->seed + s;
            for (size_t w = 0; w < memory->n_widths; w++) {
                const double *held = memory->held[k][s][w];
                double c = memory->capacity[k][s][w] = capacity(held, widths[w]);
                csv_row(&sums, "%s,%zu,%zu,%.6g,%.4g", ffn_name(kinds[k]), seed,
                        widths[w], c, bits * c / weights / (double)widths[w]);
            }
            memory->slope[k][s] =
                fit_exponent(width, memory->capacity[k][s], memory->n_widths);
            csv_row(&slopes, "%s,%zu,%.4g", ffn_name(kinds[k]), seed,
                    memory->slope[k][s]);
        }
    }
    csv_commit(&sums);
    csv_commit(&slopes);
}

static void claim_slope(const Memory *memory, size_t kind) {
    double least = INFINITY, most = -INFINITY;
    for (size_t s = 0; s < memory->seeds; s++) {
        least = smaller(least, memory->slope[kind][s]);
        most = larger(most, memory->slope[kind][s]);
    }
    claim(least > 0.85 && most < 1.15,
          "%s: facts held ~ d_ff^k, k from %.2f to %.2f over %zu seeds (0.85 to 1.15)",
          ffn_name(kinds[kind]), least, most, memory->seeds);
}

void experiment_facts(const Settings *settings) {
    static Memory memory;
    memory.seeds = settings->quick ? 1 : SEEDS;
    memory.n_widths = settings->quick ? QUICK_WIDTHS : WIDTHS;
    measure(&memory, settings->quick ? QUICK_STEPS : STEPS, settings->seed);
    write_memory(settings, &memory);
    printf("facts of which 9 in 10 are held, mean of %zu seeds\n   d_ff", memory.seeds);
    for (size_t w = 0; w < memory.n_widths; w++) printf(" %7zu", widths[w]);
    putchar('\n');
    double gain = INFINITY;
    for (size_t k = 0; k < KINDS; k++) {
        printf("%7s", ffn_name(kinds[k]));
        for (size_t w = 0; w < memory.n_widths; w++) {
            double mean = 0;
            for (size_t s = 0; s < memory.seeds; s++)
                mean += memory.capacity[k][s][w] / (double)memory.seeds;
            printf(" %7.0f", mean);
        }
        putchar('\n');
    }
    for (size_t k = 0; k < KINDS; k++) claim_slope(&memory, k);
    for (size_t s = 0; s < memory.seeds; s++) {
        for (size_t w = 0; w < memory.n_widths; w++)
            gain = smaller(gain, memory.capacity[1][s][w] / memory.capacity[0][s][w]);
    }
    claim(gain > 1,
          "with as many weights swiglu holds %.2f times as many as relu or more, at "
          "every width and seed "
          "(above 1)",
          gain);
}

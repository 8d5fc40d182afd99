/* Chapter 08: how many parameters a block has, and what each of its parts is good for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "08-transformer-block/ablation.h"
#include "08-transformer-block/models.h"
#include "claim.h"
#include "csv.h"
#include "error.h"
#include "fit.h"
#include "program.h"
#include "progress.h"

static const double SOLVED = 0.2; /* the loss below which a variant has learned the task */

/* 124439808 as "124,439,808". */
static const char *with_commas(size_t n) {
    static char text[4][40];
    static int which;
    char digits[32], *out = text[which = (which + 1) % 4];
    int length = snprintf(digits, sizeof digits, "%zu", n);
    for (int i = 0; i < length; i++) {
        *out++ = digits[i];
        if ((length - i) % 3 == 1 && i + 1 < length) *out++ = ',';
    }
    *out = 0;
    return text[which];
}

static void table_of_models(void) {
    printf("1. What the often written formula misses.\n\n");
    printf("   %-10s %15s %15s %15s %8s\n", "", "published", "counted", "formula", "off by");
    for (size_t i = 0; i < N_KNOWN_MODELS; i++) {
        const KnownModel *m = &known_models[i];
        size_t exact = count_parameters(&m->shape).total, rough = count_parameters_roughly(&m->shape);
        printf("   %-10s %15s %15s %15s %+7.1f%%\n", m->shape.name, with_commas(m->published),
               with_commas(exact), with_commas(rough), 100 * ((double)rough / (double)m->published - 1));
        if (exact != m->published) die("%s: counted %zu, published %zu", m->shape.name, exact, m->published);
    }
    printf("\n2. Where the parameters are, in percent.\n\n   %-10s %10s %10s %10s %10s %10s\n", "",
           "embeddings", "attention", "ffn", "norms", "head");
    for (size_t i = 0; i < N_KNOWN_MODELS; i++) {
        ParameterCounts c = count_parameters(&known_models[i].shape);
        double percent = 100 / (double)c.total;
        printf("   %-10s %10.1f %10.1f %10.1f %10.3f %10.1f\n", known_models[i].shape.name,
               percent * (double)c.embeddings, percent * (double)c.attention, percent * (double)c.ffn,
               percent * (double)c.norms, percent * (double)c.head);
    }
}

static void list_of_parameters(void) {
    Params params = {.mode = PARAMS_MAPPED};
    BlockConfig config = block_config_gpt2(768, 12);
    Block b = block_create(&params, NULL, &config, 0, 0, "h.0");
    printf("\n3. One GPT-2 block, as it registers itself: %s parameters.\n\n",
           with_commas(params_count(&params)));
    for (size_t i = 0; i < params.n; i++) {
        char shape[TENSOR_SHAPE_TEXT];
        printf("   %-24s %-14s %12s\n", params.items[i].name,
               tensor_shape_text(params.items[i].tensor, shape),
               with_commas(tensor_size(params.items[i].tensor)));
    }
    block_free(&b);
    params_free(&params);
}

static void short_ablation(uint64_t seed) {
    enum { STEPS = 250 };
    static double losses[STEPS];
    const Variant *variants;
    size_t n = ablation_variants(&variants);
    printf("\n4. Two blocks learn to add neighbouring digits modulo 8; a guess has the loss %.3f.\n\n",
           ablation_guess());
    printf("   %-18s %14s %22s\n", "", "loss at the end", "steps to a loss of 0.2");
    for (size_t i = 0; i < n; i++) {
        ablation_train(losses, &variants[i], STEPS, seed);
        size_t steps = ablation_steps_to(losses, STEPS, SOLVED);
        printf("   %-18s %14.3f ", variants[i].name, mean_of_last(losses, STEPS, 20));
        if (steps < STEPS)
            printf("%22zu\n", steps);
        else
            printf("%22s\n", "not reached");
    }
}

static void demo(const Settings *s) {
    table_of_models();
    list_of_parameters();
    short_ablation(s->seed);
}

/* --- the experiment ----------------------------------------------------------------------------------------
 */

enum { MAX_VARIANTS = 16, MAX_SEEDS = 5, MAX_STEPS = 400, EVERY = 10 };

typedef struct {
    size_t n_variants, n_seeds, n_steps;
    const Variant *variants;
    double losses[MAX_VARIANTS][MAX_SEEDS][MAX_STEPS];
    double curve[MAX_VARIANTS][MAX_STEPS]; /* the mean over the seeds */
    double steps[MAX_VARIANTS][MAX_SEEDS]; /* until the task is learned */
} Ablation;

/* The runs are small and have nothing to do with each other: each thread takes whole runs. */
static void run_all(Ablation *a, uint64_t first_seed) {
    size_t n_runs = a->n_variants * a->n_seeds, done = 0;
    Progress progress = progress_begin("ablation", n_runs);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < n_runs; run++) {
        size_t v = run / a->n_seeds, s = run % a->n_seeds;
        ablation_train(a->losses[v][s], &a->variants[v], a->n_steps, first_seed + s);
        a->steps[v][s] = (double)ablation_steps_to(a->losses[v][s], a->n_steps, SOLVED);
#pragma omp critical
        progress_update(&progress, ++done, "%s", a->variants[v].name);
    }
    progress_end(&progress);
    for (size_t v = 0; v < a->n_variants; v++) {
        for (size_t s = 0; s < a->n_seeds; s++) {
            for (size_t i = 0; i < a->n_steps; i++) a->curve[v][i] += a->losses[v][s][i] / (double)a->n_seeds;
        }
    }
}

static void write_curves(const Ablation *a, const char *directory) {
    Csv csv = csv_begin(directory, "08-ablation", "variant,step,loss");
    for (size_t v = 0; v < a->n_variants; v++) {
        for (size_t i = EVERY; i <= a->n_steps; i += EVERY) {
            csv_row(&csv, "%s,%zu,%.6g", a->variants[v].name, i, mean_of_last(a->curve[v], i, EVERY));
        }
    }
    csv_commit(&csv);
}

static size_t find_variant(const Ablation *a, const char *name) {
    for (size_t v = 0; v < a->n_variants; v++) {
        if (strcmp(a->variants[v].name, name) == 0) return v;
    }
    die("no variant '%s'", name);
}

/* In how many of the seeds variant `slow` takes longer than variant `fast`. */
static size_t times_slower(const Ablation *a, const char *slow, const char *fast) {
    size_t n = 0, v = find_variant(a, slow), w = find_variant(a, fast);
    for (size_t s = 0; s < a->n_seeds; s++) n += a->steps[v][s] > a->steps[w][s];
    return n;
}

static void ablation(const Settings *settings) {
    static Ablation a;
    a.n_seeds = settings->quick ? 2 : MAX_SEEDS;
    a.n_steps = settings->quick ? 250 : MAX_STEPS;
    a.n_variants = ablation_variants(&a.variants);
    run_all(&a, settings->seed);
    write_curves(&a, settings->out);
    printf("%-18s steps to a loss of %g, for %zu seeds (%zu: not reached)\n", "", SOLVED, a.n_seeds,
           a.n_steps);
    for (size_t v = 0; v < a.n_variants; v++) {
        printf("%-18s", a.variants[v].name);
        for (size_t s = 0; s < a.n_seeds; s++) printf(" %5.0f", a.steps[v][s]);
        putchar('\n');
    }
    const double *alone = a.curve[find_variant(&a, "no attention")];
    double end = mean_of_last(alone, a.n_steps, 50), guess = ablation_guess();
    claim(end > 0.99 * guess, "without attention the loss stays at a guess: %.3f of %.3f (more than 99 %%)",
          end, guess);
    size_t all = a.n_seeds, ffn = times_slower(&a, "no FFN", "full"),
           sum = times_slower(&a, "no residual", "full");
    size_t gate = times_slower(&a, "full", "SwiGLU");
    claim(ffn == all, "without the FFN it takes longer for %zu of %zu seeds (all)", ffn, all);
    claim(sum == all, "without residual connections it takes longer for %zu of %zu seeds (all)", sum, all);
    claim(gate == all, "SwiGLU with as many weights is faster than GELU for %zu of %zu seeds (all)", gate,
          all);
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"ablation", "one switch of the block at a time: how fast a small task is learned", ablation}, {0}};
    return program_run(argc, argv,
                       &(Program){.name = "08-transformer-block",
                                  .summary = "the transformer block, its parameters and its parts",
                                  .example = "--experiment ablation",
                                  .experiments = experiments,
                                  .demo = demo});
}

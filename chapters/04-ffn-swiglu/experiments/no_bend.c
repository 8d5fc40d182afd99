/* Two matrices with nothing between them, where width buys nothing; with a ReLU; and
 * with a product of two. */
#include <math.h>
#include <stdio.h>

#include "04-ffn-swiglu/experiments/experiments.h"
#include "04-ffn-swiglu/experiments/fact_task.h"
#include "math/fit.h"
#include "program/claim.h"

static const size_t widths[] = {8, 16, 32, 64, 128};
enum { WIDTHS = sizeof widths / sizeof *widths, FACTS = 500, STEPS = 600, SEEDS = 3 };

static Tensor *straight(Tape *t, const Ffn *f, Tensor *x) {
    return linear(t, &f->down, linear(t, &f->up, x));
}

static void measure(double held[WIDTHS], FfnKind kind,
                    Tensor *(*forward)(Tape *, const Ffn *, Tensor *),
                    const Settings *settings, size_t seeds) {
    for (size_t w = 0; w < WIDTHS; w++) {
        held[w] = 0;
        for (size_t s = 0; s < seeds; s++) {
            FactRun run = {.kind = kind,
                           .width = widths[w],
                           .n_facts = FACTS,
                           .steps = STEPS,
                           .seed = settings->seed + s,
                           .forward = forward};
            held[w] += share_held(&run) / (double)seeds;
        }
    }
}

static void print_row(const char *name, const double held[WIDTHS]) {
    printf("  %-22s", name);
    for (size_t w = 0; w < WIDTHS; w++) printf(" %6.2f", held[w]);
    putchar('\n');
}

void experiment_no_bend(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : SEEDS;
    double flat[WIDTHS], bent[WIDTHS], product[WIDTHS];
    measure(flat, FFN_RELU, straight, settings, seeds);
    measure(bent, FFN_RELU, ffn, settings, seeds);
    measure(product, FFN_BILINEAR, ffn, settings, seeds);
    printf("share of %d facts named right, mean of %zu seeds (guessing: %.2f)\n"
           "  %-22s",
           FACTS, seeds, 1.0 / FACT_WIDTH, "hidden width");
    for (size_t w = 0; w < WIDTHS; w++) printf(" %6zu", widths[w]);
    putchar('\n');
    print_row("nothing between them", flat);
    print_row("ReLU between them", bent);
    print_row("the product of two", product);
    double low = INFINITY, high = 0;
    for (size_t w = 1; w < WIDTHS; w++) {
        low = smaller(low, flat[w]);
        high = larger(high, flat[w]);
    }
    claim(high - low < 0.05,
          "nothing between them: from width %d on the share stays within %.2f (below "
          "0.05)",
          FACT_WIDTH, high - low);
    claim(bent[WIDTHS - 1] > 0.99, "ReLU: at %zu the share is %.2f (above 0.99)",
          widths[WIDTHS - 1], bent[WIDTHS - 1]);
    claim(product[WIDTHS - 1] > 0.99,
          "a product: at %zu the share is %.2f (above 0.99)", widths[WIDTHS - 1],
          product[WIDTHS - 1]);
}

/* The frequencies of rotary positions: see rotary.h. */
#include "18-llama/rotary.h"

#include <math.h>

#include "18-llama/llama.h"
#include "18-llama/rope.h"
#include "base/error.h"

static const double two_pi = 6.28318530717958648;

void rotary_set(BlockConfig *block, float base) {
    size_t head_dim = block->d_model / block->n_head;
    if (head_dim % 2 != 0 || head_dim / 2 > ROTARY_MOST_PAIRS)
        die("rotary positions: a head has %zu features, expected an even number up to "
            "%d",
            head_dim, 2 * ROTARY_MOST_PAIRS);
    block->rotary = (Rotary){.n_pairs = head_dim / 2, .base = base};
    rope_frequencies(block->rotary.frequencies, block->d_model, block->n_head, base);
    block->hooks = &llama_hooks;
}

//> rotary_scale
void rotary_scale(Rotary *r, float factor, float low, float high,
                  size_t original_context) {
    r->factor = factor;
    r->low = low;
    r->high = high;
    r->original_context = original_context;
    for (size_t i = 0; i < r->n_pairs; i++) {
        double f = (double)r->frequencies[i];
        double turns = (double)original_context * f / two_pi; /* in that context */
        double keep = (turns - (double)low) / ((double)high - (double)low);
        keep = keep < 0 ? 0 : keep > 1 ? 1 : keep;
        r->frequencies[i] = (float)((1 - keep) * f / (double)factor + keep * f);
    }
}
//< rotary_scale

void rotary_interpolate(Rotary *r, float factor) {
    r->factor = factor;
    r->low = r->high = 0;
    r->original_context = 0;
    for (size_t i = 0; i < r->n_pairs; i++) r->frequencies[i] /= factor;
}

/* --- what a table of divisors was made of --- */

static bool same_frequencies(const Rotary *a, const Rotary *b) {
    for (size_t i = 0; i < a->n_pairs; i++) {
        double of_a = (double)a->frequencies[i], of_b = (double)b->frequencies[i];
        if (fabs(of_a - of_b) > 1e-5 * of_a) return false;
    }
    return true;
}

/* The context that rotary_scale was given, from a pair that it changed in part; 0:
 * there is no such pair. */
static size_t original_context(const Rotary *plain, const float *divisors, double low,
                               double high, double factor) {
    for (size_t i = 0; i < plain->n_pairs; i++) {
        double keep = (1 / (double)divisors[i] - 1 / factor) / (1 - 1 / factor);
        if (keep < 0.01 || keep > 0.99) continue;
        double turns = low + keep * (high - low);
        return (size_t)(turns * two_pi / (double)plain->frequencies[i] + 0.5);
    }
    return 0;
}

void rotary_divide(Rotary *r, const float *divisors) {
    const float low = 1, high = 4, factor = divisors[r->n_pairs - 1];
    Rotary linear = *r, llama3 = *r;
    size_t context =
        original_context(r, divisors, (double)low, (double)high, (double)factor);
    for (size_t i = 0; i < r->n_pairs; i++) r->frequencies[i] /= divisors[i];
    if (factor == 1) return;
    rotary_interpolate(&linear, factor);
    rotary_scale(&llama3, factor, low, high, context);
    const Rotary *found = same_frequencies(r, &linear)              ? &linear
                          : context && same_frequencies(r, &llama3) ? &llama3
                                                                    : NULL;
    if (found) *r = *found;
}

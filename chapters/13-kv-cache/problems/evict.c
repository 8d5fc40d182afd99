/* The judge of open problem 13/evict. */
#include "13-kv-cache/problems/evict.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "math/fmath.h"
#include "program/problem.h"
#include "math/random.h"
#include "kernels/softmax.h"

enum { SLOTS = 32, DIM = 32, TOKENS = 2000 };

/* Each token brings a key, and a query for one of the tokens before it: every other
 * time for one of the last eight, else for any, the more often the more it matters. It
 * is answered if that one's key is still in the cache and found there. */
typedef struct {
    float keys[TOKENS][DIM];
    /* how much the token matters: of a few much, of most little */
    double weight[TOKENS];
} Text;

static void text_draw(Text *text, Random *random) {
    random_fill_normal(random, text->keys[0], TOKENS * DIM, 1);
    for (size_t i = 0; i < TOKENS; i++)
        text->weight[i] = exp_double(3 * random_normal(random));
}

static size_t asked_for(const Text *text, size_t now, Random *random) {
    enum { RECENT = 8 };
    if (now == 0 || random_below(random, 2))
        return now - random_below(random, (uint32_t)(now < RECENT ? now + 1 : RECENT));
    double sum = 0, all = 0;
    for (size_t i = 0; i <= now; i++) all += text->weight[i];
    double place = random_double(random) * all;
    for (size_t i = 0; i < now; i++) {
        sum += text->weight[i];
        if (sum > place) return i;
    }
    return now;
}

/* Softmax of the query's products with the keys held, as attention does it; the slot
 * that gets most. */
static size_t attend(Slot *slots, const size_t *held, size_t n, const Text *text,
                     size_t asked, Random *random) {
    float scores[SLOTS], query[DIM];
    size_t best = 0;
    for (size_t c = 0; c < DIM; c++)
        query[c] = text->keys[asked][c] + 0.5f * (float)random_normal(random);
    for (size_t s = 0; s < n; s++) {
        scores[s] = 0;
        for (size_t c = 0; c < DIM; c++) scores[s] += query[c] * text->keys[held[s]][c];
        if (scores[s] > scores[best]) best = s;
    }
    row_softmax(scores, scores, n, 1 / sqrtf(DIM));
    for (size_t s = 0; s < n; s++) slots[s].attention = scores[s];
    return best;
}

static double share_answered(uint64_t seed) {
    static Text text;
    Random random = random_create(seed);
    text_draw(&text, &random);
    Slot slots[SLOTS];
    size_t held[SLOTS], n = 0, place = 0, answered = 0;
    for (size_t now = 0; now < TOKENS; now++) {
        if (n < SLOTS) place = n++;
        for (size_t s = 0; s < n; s++) slots[s].age++;
        slots[place] = (Slot){0};
        held[place] = now;
        size_t asked = asked_for(&text, now, &random);
        answered += held[attend(slots, held, n, &text, asked, &random)] == asked;
        if (n < SLOTS) continue;
        place = evict(slots, n);
        if (place >= n) die("slot %zu of %zu is to be given away", place, n);
    }
    return (double)answered / TOKENS;
}

static void judge(const Settings *settings) {
    double answered[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        answered[k] = share_answered(settings->seed + k);
        printf("seed %zu: %.1f %% of the queries find their token\n", k + 1,
               100 * answered[k]);
    }
    problem_at_least("share of the queries", answered, 0.65);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "13/evict", judge);
}

/* The judge of open problem 15/tile_order. */
#include "15-speed/problems/tile_order.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "program/problem.h"
#include "math/random.h"

/* Panels in the order in which they were last needed, the newest last. */
typedef struct {
    size_t held[64], n, most, fetched;
} Cache;

static void need(Cache *c, size_t panel) {
    size_t at = 0;
    while (at < c->n && c->held[at] != panel) at++;
    if (at == c->n) {
        c->fetched++;
        if (c->n < c->most)
            c->n++;
        else
            at = 0; /* the oldest goes */
    }
    for (; at + 1 < c->n; at++) c->held[at] = c->held[at + 1];
    c->held[c->n - 1] = panel;
}

static void expect_each_once(const size_t *order, const TileGrid *g) {
    size_t tiles = g->down * g->across;
    char *seen = checked_alloc(tiles, sizeof *seen);
    for (size_t t = 0; t < tiles; t++) {
        if (order[t] >= tiles || seen[order[t]]++)
            die("15/tile_order: number %zu of the order is tile %zu, expected each of "
                "%zu once",
                t, order[t], tiles);
    }
    free(seen);
}

/* Fetched panels, as a multiple of those that no order can do without: a tile for each
 * panel that the cache holds. */
static double fetches(uint64_t seed) {
    Random r = random_stream(seed, 1);
    TileGrid g = {40 + random_below(&r, 41), 40 + random_below(&r, 41),
                  8 + random_below(&r, 17)};
    size_t tiles = g.down * g.across, *order = checked_alloc(tiles, sizeof *order);
    Cache cache = {.most = g.panels};
    tile_order(order, &g);
    expect_each_once(order, &g);
    for (size_t t = 0; t < tiles; t++) {
        need(&cache, order[t] / g.across);
        need(&cache, g.down + order[t] % g.across);
    }
    free(order);
    return (double)cache.fetched * (double)g.panels / (double)tiles;
}

static void judge(const Settings *settings) {
    double fetched[PROBLEM_SEEDS];
    problem_measure(fetched, settings, fetches,
                    "panels fetched, as a multiple of tiles / cache: %.2f");
    problem_at_most("panels fetched", fetched, 2.2);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "15/tile_order", judge);
}

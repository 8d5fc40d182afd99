/* Alignment: one product on rows that begin at a cache line, 4 or 60 bytes behind one,
 * and short rows, read here and there, that lie in one line or across two. */
#include <stdio.h>
#include <stdlib.h>

#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "base/memory.h"
#include "files/csv.h"
#include "kernels/threads.h"
#include "program/claim.h"

enum {
    LINE = 64 / sizeof(float), /* floats in a cache line */
    ROWS = 8,
    IN_CACHE = 768,      /* floats of a row, of which ROWS fit in L1 */
    IN_MEMORY = 4 << 20, /* and of which they fit in no cache */
    SHORT_ROWS = 1 << 21,
    LOOK_UPS = 1 << 16,
    TURNS = 40
};

typedef struct {
    const char *rows;
    size_t columns, times; /* so many products in a turn */
    size_t behind;         /* floats between a cache line and a row */
    Work *run;
} Case;

static float *memory, *out;
static const Case *now;

/* out [columns] = a [ROWS] times B [ROWS, columns]. */
static void product(void) {
    static const float a[ROWS] = {1, -2, 3, -4, 5, -6, 7, -8};
    size_t columns = now->columns, stride = columns + LINE;
    const float *b = memory + now->behind;
    for (size_t t = 0; t < now->times; t++) {
        for (size_t j = 0; j < columns; j++) {
            float sum = 0;
            for (size_t r = 0; r < ROWS; r++) sum += a[r] * b[r * stride + j];
            out[j] = sum;
        }
    }
}

/* Adds up rows of LINE floats that are far from each other. */
static void look_up(void) {
    float sums[LINE] = {0};
    for (size_t t = 0; t < LOOK_UPS; t++) {
        const float *row = memory + t * 2654435761u % SHORT_ROWS * LINE + now->behind;
        for (size_t j = 0; j < LINE; j++) sums[j] += row[j];
    }
    for (size_t j = 0; j < LINE; j++) out[j] = sums[j];
}

static const Case cases[] = {
    {"cache", IN_CACHE, 200, 0, product},  {"cache", IN_CACHE, 200, 1, product},
    {"cache", IN_CACHE, 200, 15, product}, {"memory", IN_MEMORY, 1, 0, product},
    {"memory", IN_MEMORY, 1, 1, product},  {"memory", IN_MEMORY, 1, 15, product},
    {"short", LINE, 1, 0, look_up},        {"short", LINE, 1, 8, look_up}};
enum { CASES = sizeof cases / sizeof *cases };

/* Nanoseconds for LINE floats of a row. */
static double time_of_line(const Case *c) {
    double rows = c->run == product ? ROWS : LOOK_UPS, seconds;
    now = c;
    timing_work(&seconds, &c->run, 1, 1, TURNS);
    return 1e9 * seconds * LINE / ((double)(c->columns * c->times) * rows);
}

void experiment_alignment(const Settings *settings) {
    size_t n = (size_t)ROWS * (IN_MEMORY + LINE) + LINE;
    if (n < (size_t)(SHORT_ROWS + 1) * LINE) n = (size_t)(SHORT_ROWS + 1) * LINE;
    memory = checked_aligned_alloc(n, sizeof *memory);
    out = checked_aligned_alloc(IN_MEMORY, sizeof *out);
    for (size_t i = 0; i < n; i++) memory[i] = (float)(i % 7);
    Csv csv = csv_begin(settings->out, "alignment", "rows,behind,ns,ratio");
    double aligned = 0, across = 0;
    for (size_t i = 0; i < CASES; i++) {
        const Case *c = &cases[i];
        double ns = time_of_line(c);
        if (c->behind == 0) aligned = ns;
        if (i < 3) across = ns / aligned;
        size_t behind = c->behind * sizeof *memory;
        printf("  %-6s rows %2zu bytes behind a line: %7.3f ns a line, %.2f times\n",
               c->rows, behind, ns, ns / aligned);
        csv_row(&csv, "%s,%zu,%.4g,%.3g", c->rows, behind, ns, ns / aligned);
    }
    csv_commit(&csv);
    threads_use(settings->threads);
    claim(across > 1.05, "in the cache, loads across two lines take %.2f times as long",
          across);
    free(memory);
    free(out);
}

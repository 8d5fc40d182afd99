/* See stages.h. */
#include "verdict/stages.h"

void stages_read(Stages *stages, Pool *pool, const char *text) {
    *stages = (Stages){0};
    for (char *line; stages->n < MOST_STAGES && (line = next_line(pool, &text));) {
        const char *parts[3];
        if (split(pool, line, " | ", parts, 3) != 3) continue;
        Stage *stage = &stages->stages[stages->n++];
        stage->number = parts[0];
        stage->title = parts[1];
        for (const char *at = parts[2], *test;
             stage->n_tests < MOST_TESTS && (test = next_word(pool, &at));)
            stage->tests[stage->n_tests++] = test;
    }
}

size_t stage_of(const Stages *stages, const char *test) {
    for (size_t s = 0; s < stages->n; s++)
        for (size_t t = 0; t < stages->stages[s].n_tests; t++)
            if (same_text(stages->stages[s].tests[t], test)) return s;
    return stages->n;
}

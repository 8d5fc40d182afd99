/* Where the time of a step goes: see bench.h.
 * The times are those of --trace (common/tensor/trace.h), without its norms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "base/memory.h"
#include "tensor/trace.h"

void parts_start(void) {
    trace_start(TRACE_TIMES, NULL);
    trace_clear_totals();
}

static int longest_first(const void *a, const void *b) {
    const TraceTotal *x = a, *y = b;
    double longer = y->forward + y->backward - x->forward - x->backward;
    return longer > 0 ? 1 : longer < 0 ? -1 : 0;
}

static void print_part(Csv *csv, const char *what, size_t threads, TraceTotal part,
                       double seconds, size_t steps) {
    double both = part.forward + part.backward, n = (double)steps;
    printf("  %-18s %10.3f %10.3f %8.1f %%\n", part.name, 1e3 * part.forward / n,
           1e3 * part.backward / n, 100 * both / seconds);
    if (csv)
        csv_row(csv, "%s,%zu,%s,%.4g,%.4g", what, threads, part.name, both / n,
                both / seconds);
}

void parts_print(Csv *csv, const char *what, size_t threads, double seconds,
                 size_t steps) {
    size_t n;
    const TraceTotal *totals = trace_totals(&n);
    TraceTotal *sorted =
        memcpy(checked_alloc(n, sizeof *sorted), totals, n * sizeof *sorted);
    TraceTotal rest = {.name = "the rest", .forward = seconds};
    trace_start(TRACE_OFF, NULL);
    qsort(sorted, n, sizeof *sorted, longest_first);
    printf("  %-18s %10s %10s %10s\n", "", "forward", "backward (ms)", "share");
    for (size_t i = 0; i < n; i++) {
        print_part(csv, what, threads, sorted[i], seconds, steps);
        rest.forward -= sorted[i].forward + sorted[i].backward;
    }
    print_part(csv, what, threads, rest, seconds, steps);
    free(sorted);
}

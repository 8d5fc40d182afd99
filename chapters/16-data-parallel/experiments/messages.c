/* The time of a message by its size; and four ways to add an array over all ranks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "16-data-parallel/experiments/all_reduce.h"
#include "16-data-parallel/experiments/experiments.h"
#include "16-data-parallel/experiments/trials.h"
#include "16-data-parallel/ring_all_reduce.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"

enum { LEAST = 1 << 4, MOST = 1 << 20, SIZES = 17, ROUNDS = 15 };

typedef struct {
    double latency, bandwidth; /* seconds, bytes a second */
} Transport;

/* Half of the time to and back, the least of several. */
//> ping_pong
static double ping_pong(const Ranks *pair, float *x, size_t n, size_t rounds) {
    int other = 1 - (int)pair->rank;
    double best = INFINITY;
    for (size_t i = 0; i < rounds; i++) {
        double started = clock_seconds();
        if (pair->rank == 0) MPI_Send(x, (int)n, MPI_FLOAT, other, 0, pair->comm);
        MPI_Recv(x, (int)n, MPI_FLOAT, other, 0, pair->comm, MPI_STATUS_IGNORE);
        if (pair->rank == 1) MPI_Send(x, (int)n, MPI_FLOAT, other, 0, pair->comm);
        best = smaller(best, (clock_seconds() - started) / 2);
    }
    return best;
}
//< ping_pong

/* The time of the slowest rank, the least of several. */
static double time_of(AllReduce *reduce, const Ranks *ranks, float *x, size_t n,
                      float *room, size_t rounds) {
    double best = INFINITY;
    for (size_t i = 0; i < rounds; i++) {
        MPI_Barrier(ranks->comm);
        double started = clock_seconds();
        reduce(ranks, x, n, room);
        double seconds = clock_seconds() - started, slowest;
        MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, ranks->comm);
        best = smaller(best, slowest);
    }
    return best;
}

/* A straight line through times over bytes, with errors taken relative to the times:
 * least squares of (latency + bytes / bandwidth) / seconds against 1. */
static Transport fit(const double *bytes, const double *seconds, size_t n) {
    double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0;
    for (size_t i = 0; i < n; i++) {
        double a = 1 / seconds[i], b = bytes[i] / seconds[i];
        aa += a * a;
        ab += a * b;
        bb += b * b;
        a1 += a;
        b1 += b;
    }
    double determinant = aa * bb - ab * ab;
    return (Transport){(a1 * bb - b1 * ab) / determinant,
                       determinant / (b1 * aa - a1 * ab)};
}

static Transport measure_transport(const Settings *settings, float *x) {
    const Ranks *all = trial_ranks();
    double bytes[SIZES], seconds[SIZES];
    Ranks pair = ranks_first(all, 2);
    for (size_t k = 0, n = LEAST; k < SIZES; k++, n *= 2) {
        bytes[k] = (double)(n * sizeof *x);
        seconds[k] = all->rank < 2
                         ? ping_pong(&pair, x, n, settings->quick ? 5 : 4 * ROUNDS)
                         : 1;
    }
    ranks_free(&pair);
    MPI_Barrier(all->comm);
    Transport t = fit(bytes, seconds, SIZES);
    if (all->rank != 0) return t;
    Csv csv = csv_begin(settings->out, "ping-pong", "bytes,us,line");
    for (size_t k = 0; k < SIZES; k++)
        csv_row(&csv, "%.0f,%.6g,%.6g", bytes[k], 1e6 * seconds[k],
                1e6 * (t.latency + bytes[k] / t.bandwidth));
    csv_commit(&csv);
    csv = csv_begin(settings->out, "transport", "latency_us,gigabytes");
    csv_row(&csv, "%.6g,%.6g", 1e6 * t.latency, t.bandwidth / 1e9);
    csv_commit(&csv);
    return t;
}

void experiment_messages(const Settings *settings) {
    static const struct {
        const char *name;
        AllReduce *reduce;
    } ways[] = {{"owners", all_reduce_owners},
                {"ring", ring_all_reduce},
                {"root", all_reduce_to_root},
                {"mpi", all_reduce_mpi}};
    enum { WAYS = sizeof ways / sizeof *ways };
    trial_expect_ranks("messages", 4);
    const Ranks *all = trial_ranks();
    float *x = checked_alloc(MOST, sizeof *x),
          *room = checked_alloc(MOST, sizeof *room);
    Transport t = measure_transport(settings, x);
    printf("a message between two processes: %.1f microseconds and %.2f GB a second\n",
           t.latency * 1e6, t.bandwidth / 1e9);
    Csv csv = {0};
    if (all->rank == 0)
        csv = csv_begin(settings->out, "messages",
                        "ranks,bytes,owners,ring,root,mpi,ring_line,root_line");
    double at_largest[WAYS] = {0}, at_smallest[WAYS] = {0};
    for (size_t p = 2; p <= 4; p += 2) {
        Ranks ranks = ranks_first(all, p);
        printf("%zu ranks, microseconds by bytes\n%10s %10s %10s %10s %10s\n", p,
               "bytes", ways[0].name, ways[1].name, ways[2].name, ways[3].name);
        for (size_t n = LEAST; n <= MOST; n *= 4) {
            double seconds[WAYS] = {0};
            for (size_t w = 0; w < WAYS && all->rank < p; w++)
                seconds[w] = time_of(ways[w].reduce, &ranks, x, n, room,
                                     settings->quick ? 3 : ROUNDS);
            for (size_t w = 0; w < WAYS; w++) {
                if (n == LEAST) at_smallest[w] = seconds[w];
                at_largest[w] = seconds[w];
            }
            printf("%10zu %10.1f %10.1f %10.1f %10.1f\n", n * sizeof *x,
                   seconds[0] * 1e6, seconds[1] * 1e6, seconds[2] * 1e6,
                   seconds[3] * 1e6);
            double bytes = (double)(n * sizeof *x), messages = 2 * (double)(p - 1),
                   levels = p == 2 ? 1 : 2;
            if (all->rank == 0)
                csv_row(&csv, "%zu,%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", p, n * sizeof *x,
                        1e6 * seconds[0], 1e6 * seconds[1], 1e6 * seconds[2],
                        1e6 * seconds[3],
                        1e6 * messages * (t.latency + bytes / (double)p / t.bandwidth),
                        1e6 * 2 * levels * (t.latency + bytes / t.bandwidth));
        }
        ranks_free(&ranks);
        MPI_Barrier(all->comm);
    }
    free(x);
    free(room);
    if (all->rank != 0) return;
    csv_commit(&csv);
    double small = at_smallest[1] / at_smallest[2],
           large = at_largest[1] / at_largest[2];
    claim(small > 1,
          "4 ranks, %zu bytes: the ring takes %.2f times as long as the way through "
          "the root",
          LEAST * sizeof *x, small);
    claim(large < small,
          "and with %zu bytes %.2f times: what it gains, it gains with the size",
          MOST * sizeof *x, large);
}

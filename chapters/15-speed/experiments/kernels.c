/* LayerNorm backward, softmax and attention in steps (kernels.h): how long each step
 * takes for an element, and how long the roofline says that it must take. */
#include "15-speed/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "07-attention/online_attention.h"
#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "15-speed/machine.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"
#include "math/random.h"
#include "kernels/reduce.h"
#include "kernels/threads.h"

/* GPT-2's width and heads. Softmax has rows of all lengths, NUMBERS in all, which no
 * second cache holds. */
enum {
    DIM = 768,
    HEADS = 12,
    HEAD = 64,
    MOST_ROWS = 16384,
    NUMBERS = 1 << 22,
    LONGEST = 16384,
    ALL_HEADS = 2048 /* up to so many tokens: a table of all heads */
};
enum { MOST_STEPS = 4, MOST_SIZES = 9, QUICK_SIZES = 2, TURNS = 9, FEW_TURNS = 3 };
enum { ARRAY = (MOST_ROWS + 2) * DIM, TABLE = LONGEST * LONGEST };

static float *in[4], *out, *first_out; /* [ARRAY] each */
static float *scratch, *for_dropout;   /* [TABLE] each */
static size_t size;                    /* the kernel's: rows, or the length of one */

/* --- LayerNorm backward of `size` rows; dgain and dbias stand behind dx --- */

static void norm_by(NormBackward *step) {
    float *mean = in[2], *columns = out + size * DIM;
    step(out, columns, columns + DIM, in[0], in[1], mean, mean + size, in[3], size,
         DIM);
}
static void norm_plain(void) {
    norm_by(norm_back_three_loops);
}
static void norm_two_sums(void) {
    norm_by(norm_back_two_sums);
}
static void norm_one_sweep(void) {
    norm_by(norm_back_one_sweep);
}

/* --- softmax of rows of `size` numbers --- */

static void softmax_by(Softmax *step) {
    step(out, in[0], NUMBERS / size, size);
}
static void softmax_step_1(void) {
    softmax_by(softmax_three_passes);
}
static void softmax_step_2(void) {
    softmax_by(softmax_online);
}
static void softmax_step_3(void) {
    softmax_by(softmax_by_parts);
}

/* --- attention over `size` tokens; what it keeps beside its result goes to scratch
 * --- */

/* Longer texts have fewer heads, so that the table has about as many bytes. */
static size_t heads_timed(void) {
    size_t times = size / ALL_HEADS;
    return times <= 1 ? HEADS : HEADS / times / times > 0 ? HEADS / times / times : 1;
}
static AttentionShape heads(void) {
    return (AttentionShape){
        .n_heads = heads_timed(), .length = size, .head_dim = HEAD, .causal = true};
}
static void attention_whole(void) {
    AttentionShape shape = heads();
    attention_forward(out, scratch, for_dropout, in[0], in[1], in[2], &shape);
}
static void attention_bands(void) {
    AttentionShape shape = heads();
    attention_by_bands(out, scratch, in[0], in[1], in[2], &shape);
}
static void attention_tiles(void) {
    AttentionShape shape = heads();
    attention_by_tiles(out, scratch, in[0], in[1], in[2], &shape);
}
static void attention_online(void) {
    AttentionShape shape = heads();
    online_attention_forward(out, scratch, in[0], in[1], in[2], &shape);
}

/* bytes: what a step moves for an element, where nothing waits in a cache for the next
 * pass but a row of the norm, a part of softmax's row and a band of attention's
 * weights. A line that is written is fetched
 * before. */
typedef struct {
    const char *name;
    Work *run;
    double bytes;
} KernelStep;

typedef enum { NORM, SOFTMAX, ATTENTION, KERNELS } KernelName;

/* flop, read, written: operations and bytes of an element that no step can do without,
 * counted as in roofline.c. */
typedef struct {
    const char *name;
    KernelStep steps[MOST_STEPS];
    size_t n_same; /* of the first steps, which give the same bytes */
    double flop, read, written;
    size_t sizes[MOST_SIZES];
} Kernel;

static const Kernel kernels[KERNELS] = {
    {"norm",
     {{"plain", norm_plain, 28},
      {"two_sums", norm_two_sums, 28},
      {"one_sweep", norm_one_sweep, 16}},
     3,
     14,
     12,
     4,
     {64, 256, 1024, 4096, MOST_ROWS}},
    {"softmax",
     {{"three_passes", softmax_step_1, 24},
      {"online", softmax_step_2, 16},
      {"parts", softmax_step_3, 16}},
     1,
     24,
     8,
     4,
     {64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, NUMBERS}},
    {"attention",
     {{"whole", attention_whole, 28},
      {"bands", attention_bands, 8},
      {"online", attention_online, 512},
      {"tiles", attention_tiles, 8}},
     2,
     4 * HEAD + 24,
     0,
     0,
     {64, 128, 256, 512, 1024, ALL_HEADS, 4096, 8192, LONGEST}},
};

static size_t elements(KernelName k) {
    return k == NORM      ? size * DIM
           : k == SOFTMAX ? NUMBERS
                          : heads_timed() * size * (size + 1) / 2;
}
static size_t outputs(KernelName k) {
    return k == NORM      ? (size + 2) * DIM
           : k == SOFTMAX ? NUMBERS
                          : heads_timed() * size * HEAD;
}

/* Seconds for all elements at least: by the peak, or by the bandwidth of an array as
 * large as all that is read. */
static double bound_of(const Kernel *k, double n, double peak) {
    double seconds = n * k->flop / peak;
    if (k->read == 0) return seconds;
    size_t bytes = (size_t)(n * k->read);
    seconds = larger(seconds, n * k->read / machine_bandwidth(bytes, 1, false));
    return larger(seconds,
                  n * (k->read + k->written) / machine_bandwidth(bytes, 1, true));
}

/* How far step s is from the first one: 0 for the same bytes, else the largest
 * difference over the largest number; NaN where the bytes are others though they must
 * not be. */
static double difference(const Kernel *k, KernelName name, size_t s) {
    size_t n = outputs(name);
    memset(out, 0, n * sizeof *out);
    k->steps[s].run();
    if (s == 0) memcpy(first_out, out, n * sizeof *out);
    if (s < k->n_same) return memcmp(out, first_out, n * sizeof *out) == 0 ? 0 : NAN;
    return largest_difference(out, first_out, n) / (double)row_max(first_out, n);
}

/* Bytes of scratch that a step of attention writes: those that are no longer what they
 * were. */
static double scratch_bytes(const KernelStep *step) {
    size_t n = heads_timed() * size * size, written = 0;
    uint32_t bits;
    memset(scratch, 0xff, n * sizeof *scratch);
    step->run();
    for (size_t i = 0; i < n; i++)
        written += memcmp(scratch + i, memset(&bits, 0xff, sizeof bits), 4) != 0;
    return (double)written * sizeof *scratch;
}

/* The last sizes' seconds and bytes of scratch. */
typedef struct {
    double seconds[MOST_STEPS], scratch[MOST_STEPS][MOST_SIZES], lengths[MOST_SIZES],
        farthest;
    size_t n, full; /* sizes; those with all heads */
} Outcome;

static Outcome measure(Csv *csv, Csv *memory, KernelName name, double peak,
                       bool quick) {
    const Kernel *k = &kernels[name];
    Outcome o = {.farthest = 0};
    for (; o.n < (quick ? QUICK_SIZES : MOST_SIZES) && k->sizes[o.n]; o.n++) {
        size = k->sizes[o.n];
        o.lengths[o.n] = (double)size;
        double n = (double)elements(name), bound = bound_of(k, n, peak);
        Work *run[MOST_STEPS];
        size_t steps = 0;
        for (; steps < MOST_STEPS && k->steps[steps].run; steps++) {
            run[steps] = k->steps[steps].run;
            o.farthest = larger(o.farthest, difference(k, name, steps));
        }
        timing_work(o.seconds, run, steps, 1,
                    name == ATTENTION && size > ALL_HEADS ? FEW_TURNS : TURNS);
        for (size_t s = 0; s < steps; s++) {
            printf(
                "  %-10s %-12s %8zu %6.0f B %8.3f ns, bound %7.3f: %.2f of the roof\n",
                k->name, k->steps[s].name, size, k->steps[s].bytes,
                1e9 * o.seconds[s] / n, 1e9 * bound / n, bound / o.seconds[s]);
            csv_row(csv, "%s,%s,%zu,%.0f,%.4g,%.4g,%.3g", k->name, k->steps[s].name,
                    size, k->steps[s].bytes, 1e9 * o.seconds[s] / n, 1e9 * bound / n,
                    bound / o.seconds[s]);
            if (name != ATTENTION || size > ALL_HEADS) continue;
            o.full = o.n + 1;
            o.scratch[s][o.n] = scratch_bytes(&k->steps[s]);
            csv_row(memory, "%s,%zu,%.4g", k->steps[s].name, size,
                    1e-6 * o.scratch[s][o.n]);
        }
    }
    return o;
}

static void fill(uint64_t seed) {
    Random r = random_create(seed);
    float **arrays[] = {&in[0], &in[1], &in[2], &in[3], &out, &first_out};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = checked_aligned_alloc(ARRAY, sizeof(float));
        random_floats(*arrays[i], &r, i * ARRAY, ARRAY);
    }
    scratch = checked_aligned_alloc(TABLE, sizeof *scratch);
    for_dropout = checked_aligned_alloc(TABLE, sizeof *for_dropout);
}

void experiment_kernels(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "kernels",
                        "kernel,step,size,bytes,ns,bound_ns,share"),
        memory = csv_begin(settings->out, "kernels-memory", "step,size,megabytes");
    Outcome o[KERNELS];
    fill(settings->seed);
    double peak = machine_peak(1);
    for (KernelName k = 0; k < KERNELS; k++)
        o[k] = measure(&csv, &memory, k, peak, settings->quick);
    csv_commit(&csv);
    csv_commit(&memory);
    threads_use(settings->threads);
    for (size_t i = 0; i < 4; i++) free(in[i]);
    free(out);
    free(first_out);
    free(scratch);
    free(for_dropout);
    claim(o[NORM].farthest == 0, "LayerNorm backward: all steps give the same bytes");
    claim(o[SOFTMAX].farthest < 1e-5,
          "softmax: no step is further than %.2g from three passes (1e-5)",
          o[SOFTMAX].farthest);
    claim(
        o[ATTENTION].farthest < 1e-5,
        "attention: bands give the same bytes, online and tiles are within %.2g (1e-5)",
        o[ATTENTION].farthest);
    claim(o[NORM].seconds[2] < o[NORM].seconds[0],
          "LayerNorm backward from memory: one sweep takes %.2f of plain",
          o[NORM].seconds[2] / o[NORM].seconds[0]);
    claim(o[SOFTMAX].seconds[2] < o[SOFTMAX].seconds[1],
          "softmax: parts take %.2f of one number at a time",
          o[SOFTMAX].seconds[2] / o[SOFTMAX].seconds[1]);
    if (!settings->quick)
        claim(o[ATTENTION].seconds[3] < 1.5 * o[ATTENTION].seconds[0],
              "attention over %d tokens: tiles take %.2f of the whole table's time "
              "(below 1.5)",
              LONGEST, o[ATTENTION].seconds[3] / o[ATTENTION].seconds[0]);
    double power[MOST_STEPS];
    for (size_t s = 0; s < 3; s++)
        power[s] = fit_exponent(o[ATTENTION].lengths, o[ATTENTION].scratch[s],
                                o[ATTENTION].full);
    claim(fabs(power[0] - 2) < 0.01 && fabs(power[1] - 1) < 0.01 &&
              fabs(power[2] - 1) < 0.01,
          "attention's scratch memory grows as length^%.2f, by bands ^%.2f, online "
          "^%.2f (2, 1, 1)",
          power[0], power[1], power[2]);
}

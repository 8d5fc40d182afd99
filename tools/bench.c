/* make bench: how fast the core is, as ratios to what the machine can do, measured in this one run.
 *
 * Every figure is the median of several rounds, and what it is compared with is measured in the same rounds,
 * in turn. The yardsticks are OpenBLAS' sgemm where it is installed, and a plain read or copy of memory.
 * Writes speed-*.csv to --out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef HAVE_OPENBLAS
#include <cblas.h>
void openblas_set_num_threads(int);
char *openblas_get_corename(void);
#endif

#include "00-tensors/softmax_cross_entropy.h"
#include "00-tensors/optimizer.h"
#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "03-rmsnorm/rmsnorm.h"
#include "04-ffn-swiglu/gelu.h"
#include "04-ffn-swiglu/swiglu.h"
#include "06-embeddings/embedding.h"
#include "13-kv-cache/kv_cache.h"
#include "clock.h"
#include "csv.h"
#include "error.h"
#include "matmul.h"
#include "program.h"
#include "reduce.h"

enum { ROUNDS = 7 };
static size_t rounds = ROUNDS;

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, size_t n) {
    qsort(x, n, sizeof *x, by_size);
    return x[n / 2];
}

static float *filled(size_t n) {
    float *x = checked_alloc(n, sizeof *x);
    Random r = random_create(n);
    for (size_t i = 0; i < n; i++) x[i] = random_float(&r) - 0.5f;
    return x;
}

static void use_threads(size_t n) {
#ifdef _OPENMP
    omp_set_num_threads((int)n);
#endif
#ifdef HAVE_OPENBLAS
    openblas_set_num_threads((int)n);
#endif
}

/* --- memory: what a loop over a large array can read, and copy, in bytes a second --- */

static volatile float sink;

static double read_rate(const float *x, size_t n) {
    double started = clock_seconds();
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (size_t i = 0; i < n / 4096; i++) sum += row_sum(x + i * 4096, 4096);
    sink = sum;
    return (double)(n * sizeof *x) / (clock_seconds() - started);
}

/* --- matrix products --- */

typedef enum { AB, ATB, ABT } Form;
static const char *const form_names[] = {"C = A B", "C = A'B", "C = A B'"};

static void ours(Form form, float *c, const float *a, const float *b, size_t m, size_t n, size_t k) {
    if (form == AB) matmul(c, a, b, m, n, k, false);
    if (form == ATB) matmul_at_b(c, a, b, m, n, k, false);
    if (form == ABT) matmul_a_bt(c, a, b, m, n, k, false);
}

#ifdef HAVE_OPENBLAS
static void theirs(Form form, float *c, const float *a, const float *b, size_t m, size_t n, size_t k) {
    cblas_sgemm(CblasRowMajor, form == ATB ? CblasTrans : CblasNoTrans,
                form == ABT ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k, 1, a,
                (int)(form == ATB ? m : k), b, (int)(form == ABT ? k : n), 0, c, (int)n);
}
#else
#define theirs ours
#endif

typedef void Product(Form, float *, const float *, const float *, size_t, size_t, size_t);

/* Our threads and OpenBLAS' wait for work in a loop for a while, at the cost of whoever is measured next. */
static void let_threads_sleep(void) {
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

/* Seconds for one product; small ones are repeated to last some milliseconds. */
static double product_seconds(Product *f, Form form, float *c, const float *a, const float *b, size_t m,
                              size_t n, size_t k) {
    let_threads_sleep();
    f(form, c, a, b, m, n, k); /* wakes them */
    size_t repeats = (size_t)(1e9 / (2.0 * (double)m * (double)n * (double)k)) + 1;
    double started = clock_seconds();
    for (size_t i = 0; i < repeats; i++) f(form, c, a, b, m, n, k);
    return (clock_seconds() - started) / (double)repeats;
}

static void bench_matmul(Csv *csv, size_t n_threads) {
    static const struct {
        size_t m, k, n;
    } shapes[] = {{256, 768, 2304},   {256, 768, 3072},  {256, 3072, 768},  {256, 768, 50257},
                  {1024, 768, 2304},  {1024, 768, 3072}, {1024, 3072, 768}, {1024, 768, 50257},
                  {2048, 2048, 2048}, {64, 64, 64},      {7, 33, 65}};
    use_threads(n_threads);
    printf("\nmatrix products, %zu thread%s: GFLOP/s, and ours as a share of OpenBLAS\n", n_threads,
           n_threads > 1 ? "s" : "");
    printf("%-10s %6s %6s %6s %9s %9s %7s\n", "", "m", "k", "n", "ours", "OpenBLAS", "ratio");
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        size_t m = shapes[s].m, k = shapes[s].k, n = shapes[s].n;
        float *a = filled(m * k), *b = filled(k * n), *c = checked_alloc(m * n, sizeof *c);
        for (Form form = AB; form <= ABT; form++) {
            double mine[64], other[64];
            for (size_t r = 0; r < rounds; r++) {
                mine[r] = product_seconds(ours, form, c, a, b, m, n, k);
                other[r] = product_seconds(theirs, form, c, a, b, m, n, k);
            }
            double flop = 2e-9 * (double)m * (double)n * (double)k;
            double x = flop / median(mine, rounds), y = flop / median(other, rounds);
            printf("%-10s %6zu %6zu %6zu %9.1f %9.1f %7.2f\n", form_names[form], m, k, n, x, y, x / y);
            csv_row(csv, "%zu,%d,%zu,%zu,%zu,%.5g,%.5g,%.4g", n_threads, (int)form, m, k, n, x, y, x / y);
        }
        free(a), free(b), free(c);
    }
}

/* Floating-point operations a second of the yardstick at 2048^3, for the floors below. */
static double product_rate(size_t n_threads) {
    enum { N = 2048 };
    float *a = filled(N * N), *b = filled(N * N), *c = checked_alloc(N * N, sizeof *c);
    double seconds[5];
    use_threads(n_threads);
    for (size_t r = 0; r < 5; r++) seconds[r] = product_seconds(theirs, AB, c, a, b, N, N, N);
    free(a), free(b), free(c);
    return 2.0 * N * N * N / median(seconds, 5);
}

/* --- kernels against memory --- */

enum { ROWS = 256, DIM = 768, WIDE = 3072, VOCAB = 50257 };
static float *big[4]; /* each ROWS * VOCAB floats */
static float row_statistics[2][ROWS];
static int row_tokens[ROWS];

typedef struct {
    const char *name;
    size_t floats; /* read or written once: what memory has to move */
    void (*run)(void);
} Kernel;

static void run_layernorm_backward(void) {
    layernorm_backward(big[0], big[3], big[3] + DIM, big[1], big[2], row_statistics[0], row_statistics[1],
                       big[3], ROWS, DIM);
}
static void run_gelu(void) {
    gelu_tanh_forward(big[0], big[1], ROWS * WIDE);
}
static void run_gelu_backward(void) {
    gelu_tanh_backward(big[0], big[1], big[2], ROWS * WIDE);
}
static void run_swiglu(void) {
    swiglu_forward(big[0], big[1], big[2], ROWS * WIDE);
}
static void run_softmax(void) {
    softmax_forward(big[0], big[1], ROWS, VOCAB, 1);
}
static void run_loss(void) {
    sink = cross_entropy_forward(row_statistics[0], big[1], row_tokens, ROWS, VOCAB);
}
static void run_loss_backward(void) {
    cross_entropy_backward(big[0], 1, big[1], row_statistics[0], row_tokens, ROWS, VOCAB);
}
static void run_embedding_backward(void) {
    embedding_backward(big[0], big[1], row_tokens, ROWS, DIM, NO_PADDING);
}
static void run_adamw(void) {
    AdamWSettings s = {1e-4f, 0.9f, 0.95f, 1e-8f, 0.1f};
    adamw_update(big[0], big[1], big[2], big[3], (size_t)DIM * WIDE * 4, &s, 10);
}

static void bench_kernels(Csv *csv, size_t n_threads) {
    static const Kernel kernels[] = {
        {"adamw, 9.4 M parameters", 7 * (size_t)DIM * WIDE * 4, run_adamw},
        {"cross-entropy forward", (size_t)ROWS * VOCAB, run_loss},
        {"cross-entropy backward", 3 * (size_t)ROWS * VOCAB, run_loss_backward},
        {"softmax 256 x 50257", 2 * (size_t)ROWS * VOCAB, run_softmax},
        {"gelu forward", 2 * ROWS * WIDE, run_gelu},
        {"gelu backward", 4 * ROWS * WIDE, run_gelu_backward},
        {"swiglu forward", 3 * ROWS * WIDE, run_swiglu},
        {"layernorm backward", 4 * ROWS * DIM, run_layernorm_backward},
        {"embedding backward", 3 * ROWS * DIM, run_embedding_backward},
    };
    use_threads(n_threads);
    printf("\nkernels, %zu thread%s: GB/s moved, and as a share of a plain read of memory\n", n_threads,
           n_threads > 1 ? "s" : "");
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        double mine[64], plain[64];
        for (size_t r = 0; r < rounds; r++) {
            size_t repeats = 100000000 / kernels[i].floats + 1;
            double started = clock_seconds();
            for (size_t j = 0; j < repeats; j++) kernels[i].run();
            mine[r] = (double)repeats * 4e-9 * (double)kernels[i].floats / (clock_seconds() - started);
            plain[r] = 1e-9 * read_rate(big[3], (size_t)ROWS * VOCAB);
        }
        double x = median(mine, rounds), y = median(plain, rounds);
        printf("%-26s %8.1f %8.1f %6.2f\n", kernels[i].name, x, y, x / y);
        csv_row(csv, "%zu,%s,%.4g,%.4g,%.4g", n_threads, kernels[i].name, x, y, x / y);
    }
}

/* --- GPT-2 124M: a training step, decoding, reading a prompt --- */

static double train_seconds(Gpt2 *model, AdamW *optimizer, Tape *t, const int *tokens, double part[3]) {
    Gpt2Input input = {.tokens = tokens, .batch = 4, .length = 64};
    double at[4];
    tape_reset(t);
    at[0] = clock_seconds();
    params_zero_grad(&model->params);
    Tensor *loss = gpt2_loss(t, model, &input, tokens + 1);
    at[1] = clock_seconds();
    tape_backward(t, loss);
    at[2] = clock_seconds();
    adamw_step(optimizer, &model->params);
    at[3] = clock_seconds();
    for (size_t i = 0; i < 3; i++) part[i] = at[i + 1] - at[i];
    return at[3] - at[0];
}

static void bench_training(Gpt2 *model, Csv *csv, size_t n_threads, double rate) {
    static int tokens[4 * 64 + 1];
    Random r = random_create(1);
    for (size_t i = 0; i < 257; i++) tokens[i] = (int)random_below(&r, VOCAB);
    use_threads(n_threads);
    AdamW optimizer = adamw_create(&model->params, 1e-5f, 0.1f);
    Tape t = tape_create(1);
    double seconds[64], part[3];
    for (size_t i = 0; i < 5; i++) seconds[i] = train_seconds(model, &optimizer, &t, tokens, part);
    double step = median(seconds, 5), floor = 6.0 * (double)params_count(&model->params) * 256 / rate;
    printf("training step, 4 x 64 tokens, %zu thread%s: %.3f s = %.2f of the floor of %.3f s; forward %.3f, "
           "backward %.3f, AdamW %.3f; "
           "activations %.0f MB\n",
           n_threads, n_threads > 1 ? "s" : "", step, step / floor, floor, part[0], part[1], part[2],
           (double)t.arena.peak / 1e6);
    csv_row(csv, "train,%zu,%.4g,%.4g,%.4g", n_threads, step, floor, step / floor);
    adamw_free(&optimizer);
    tape_free(&t);
}

static void bench_decoding(Gpt2 *model, Csv *csv, size_t n_threads, double rate) {
    enum { PROMPT = 512, STEPS = 12 };
    static int tokens[PROMPT];
    use_threads(n_threads);
    Tape t = tape_create(1);
    KvCache cache = kv_cache_create(&model->config, 1, 1024);
    double prompt[5], token[STEPS], read[STEPS];
    for (size_t r = 0; r < 5; r++) { /* the first two also find out how much memory it takes */
        kv_cache_clear(&cache);
        double started = clock_seconds();
        kv_cache_logits(&t, model, &cache, tokens, PROMPT, (size_t[]){PROMPT});
        prompt[r] = clock_seconds() - started;
    }
    kv_cache_clear(&cache);
    for (size_t r = 0; r < STEPS; r++) {
        double started = clock_seconds();
        kv_cache_logits(&t, model, &cache, tokens, 1, (size_t[]){1});
        token[r] = clock_seconds() - started;
        read[r] = read_rate(model->wte->data, tensor_size(model->wte));
    }
    double weights = 4.0 * (double)(params_count(&model->params) - tensor_size(model->wpe));
    double bound = weights / median(read, STEPS), ms = median(token, STEPS);
    double blocks = 2.0 * 85054464 * PROMPT / rate, first = median(prompt, 5);
    printf("decoding, %zu thread%s: %.2f ms a token, bound %.2f ms (%.0f MB read once): %.2f of it. prompt "
           "of %d: %.3f s, matmul bound %.3f s: %.2f\n",
           n_threads, n_threads > 1 ? "s" : "", 1e3 * ms, 1e3 * bound, weights / 1e6, bound / ms, PROMPT,
           first, blocks, blocks / first);
    csv_row(csv, "decode,%zu,%.4g,%.4g,%.4g", n_threads, ms, bound, bound / ms);
    csv_row(csv, "prompt,%zu,%.4g,%.4g,%.4g", n_threads, first, blocks, blocks / first);
    kv_cache_free(&cache);
    tape_free(&t);
}

static void all_matmul(const Settings *settings) {
    Csv csv =
        csv_begin(settings->out, "speed-matmul", "threads,form,m,k,n,ours_gflops,openblas_gflops,ratio");
    bench_matmul(&csv, 1);
    if (settings->threads > 1) bench_matmul(&csv, settings->threads);
    csv_commit(&csv);
}

static void all_kernels(const Settings *settings) {
    for (size_t i = 0; i < 4; i++) big[i] = filled((size_t)ROWS * VOCAB);
    for (size_t i = 0; i < ROWS; i++) row_tokens[i] = (int)(i * 97 % VOCAB);
    Csv csv = csv_begin(settings->out, "speed-kernels", "threads,kernel,gb_per_s,read_gb_per_s,ratio");
    bench_kernels(&csv, 1);
    if (settings->threads > 1) bench_kernels(&csv, settings->threads);
    csv_commit(&csv);
    for (size_t i = 0; i < 4; i++) free(big[i]);
}

static void all_model(const Settings *settings) {
    printf("\nGPT-2 124M, random weights\n");
    Gpt2Config config = gpt2_named_config("gpt2");
    Random init = random_create(settings->seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_TRAIN, &init);
    Csv csv = csv_begin(settings->out, "speed-model", "what,threads,seconds,bound,ratio");
    for (size_t n = 1; n <= settings->threads; n += n < settings->threads ? settings->threads - 1 : 1) {
        double rate = product_rate(n);
        bench_training(model, &csv, n, rate);
        bench_decoding(model, &csv, n, rate);
    }
    csv_commit(&csv);
    gpt2_free(model);
}

static void demo(const Settings *settings) {
    all_matmul(settings);
    all_kernels(settings);
    all_model(settings);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"rounds", OPTION_SIZE, &rounds, "rounds of which the median is taken", 1, 63},
        {0},
    };
    static const Experiment parts[] = {
        {"matmul", "matrix products against OpenBLAS", all_matmul},
        {"kernels", "the other kernels against memory", all_kernels},
        {"model", "GPT-2 124M: training, decoding, reading a prompt", all_model},
        {0},
    };
#ifdef HAVE_OPENBLAS
    printf("OpenBLAS runs its %s kernels (OPENBLAS_CORETYPE chooses others)\n", openblas_get_corename());
#else
    printf("OpenBLAS is not installed (Debian: libopenblas-dev): its column repeats ours\n");
#endif
    return program_run(argc, argv,
                       &(Program){
                           .name = "bench",
                           .summary = "speed, as ratios to what the machine can do",
                           .example = "--experiment matmul --rounds 11",
                           .options = options,
                           .experiments = parts,
                           .demo = demo,
                       });
}

/* make bench: how fast the core is, as ratios to what the machine can do, measured in this one run. The
 * yardsticks are OpenBLAS' sgemm where it is installed, plain loops over memory, and our functions on an
 * array in the first cache. Writes speed-*.csv to --out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef HAVE_OPENBLAS
void openblas_set_num_threads(int);
char *openblas_get_corename(void);
#endif

#include "bench.h"
#include "memory.h"
#include "program.h"

size_t bench_rounds = 7;

float *bench_floats(size_t n) {
    float *x = checked_aligned_alloc(n, sizeof *x); /* as the tape's are */
    Random r = random_create(n);
    for (size_t i = 0; i < n; i++) x[i] = random_float(&r) - 0.5f;
    return x;
}

void bench_threads(size_t n) {
#ifdef _OPENMP
    omp_set_num_threads((int)n);
#endif
#ifdef HAVE_OPENBLAS
    openblas_set_num_threads((int)n);
#endif
}

void bench_let_threads_sleep(void) {
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

/* f with one thread, then with all. */
static void for_threads(const Settings *settings, Csv *csv, void (*f)(Csv *, size_t)) {
    f(csv, 1);
    if (settings->threads > 1) f(csv, settings->threads);
}

static void name_the_yardstick(void) {
#ifdef HAVE_OPENBLAS
    printf("OpenBLAS runs its %s kernels (OPENBLAS_CORETYPE chooses others)\n", openblas_get_corename());
#else
    printf("OpenBLAS is not installed (Debian: libopenblas-dev): its column repeats ours\n");
#endif
}

static void products(const Settings *settings) {
    name_the_yardstick();
    Csv csv =
        csv_begin(settings->out, "speed-products", "threads,form,m,k,n,ours_gflops,openblas_gflops,ratio");
    for_threads(settings, &csv, bench_products);
    csv_commit(&csv);
}

static void kernels(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "speed-kernels", "threads,kernel,limit,limit_us,measured_us,ratio");
    for_threads(settings, &csv, bench_kernels);
    csv_commit(&csv);
}

static void model(const Settings *settings) {
    name_the_yardstick();
    printf("\nGPT-2 124M, random weights\n");
    Gpt2Config config = gpt2_named_config("gpt2");
    Random init = random_create(settings->seed);
    Gpt2 *gpt2 = gpt2_create(&config, PARAMS_TRAIN, &init);
    Csv csv = csv_begin(settings->out, "speed-model", "what,threads,seconds,bound,ratio");
    Csv parts = csv_begin(settings->out, "speed-parts", "what,threads,part,seconds,share");
    for (size_t n = 1; n <= settings->threads; n += n < settings->threads ? settings->threads - 1 : 1) {
        double rate = yardstick_product_rate(n);
        bench_training(gpt2, &csv, &parts, n, rate);
        bench_decoding(gpt2, &csv, &parts, n, rate);
    }
    csv_commit(&csv);
    csv_commit(&parts);
    gpt2_free(gpt2);
}

static void waiting(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "speed-waiting", "beside,threads,seconds,ratio");
    bench_waiting(&csv, settings->threads);
    csv_commit(&csv);
}

static void demo(const Settings *settings) {
    products(settings);
    kernels(settings);
    model(settings);
    waiting(settings);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"rounds", OPTION_SIZE, &bench_rounds, "rounds of which the median is taken", 1, MAX_ROUNDS},
        {0},
    };
    static const Experiment parts[] = {
        {"products", "matrix products against OpenBLAS", products},
        {"kernels", "the other kernels against memory and arithmetic", kernels},
        {"model", "GPT-2 124M: training, decoding, reading a prompt; the time by part", model},
        {"waiting", "a small training step beside a busy process, by how threads wait", waiting},
        {"small-step", "what waiting measures: the seconds of one such step", bench_small_step},
        {"small-step-all", "the same, always with all threads", bench_small_step_all},
        {0},
    };
    setenv("BENCH", argv[0], 1);
    return program_run(argc, argv,
                       &(Program){
                           .name = "bench",
                           .summary = "speed, as ratios to what the machine can do",
                           .example = "--experiment kernels --rounds 11",
                           .options = options,
                           .experiments = parts,
                           .demo = demo,
                       });
}

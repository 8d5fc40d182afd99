/* What waiting for work costs (tools/learner/waiting.sh), and what trying out the
 * number of threads saves (common/kernels/thread_count.h): a small training step with
 * all threads, beside one with one thread. OpenMP reads its environment before main, so
 * each is measured in a process of its own. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "base/clock.h"
#include "base/error.h"
#include "math/fit.h"
#include "kernels/thread_count.h"
#include "tensor/trace.h"

enum {
    BATCH = 16,
    LENGTH = 64,
    TOKENS = BATCH * LENGTH,
    WARM_UP = 3,
    AT_LEAST = 5,
    MOST = 1000
};

/* Operations of a step of the model below: 6 for each token and number that is
 * multiplied, and attention's. */
static double small_flop(const Gpt2 *model) {
    const Gpt2Config *c = &model->config;
    double numbers = (double)(params_count(&model->params) - tensor_size(model->wpe));
    return TOKENS *
           (6 * numbers + 6.0 * (double)(c->n_layer * LENGTH * c->block.d_model));
}

/* Seconds of a step: their median, and their mean, which has what an unlucky one cost;
 * over so many steps; and the operations of one. */
typedef struct {
    double median, mean;
    size_t steps;
    double flop;
} SmallStep;

/* The model and the batch of make tour. `count` as in its loop, or NULL: always all
 * threads. Steps for so long. */
static SmallStep small_step(uint64_t seed, ThreadCount *count, double at_least) {
    static int tokens[TOKENS + 1];
    Gpt2Config config = gpt2_config(512, LENGTH, 4, 4, 128);
    Random r = random_create(seed);
    for (size_t i = 0; i <= TOKENS; i++)
        tokens[i] = (int)random_below(&r, (uint32_t)config.n_vocab);
    Gpt2 *model = gpt2_create(&config, PARAMS_TRAIN, &r);
    AdamW optimizer = adamw_create(&model->params, 1e-5f, 0.1f);
    Tape t = tape_for_steps(1);
    Gpt2Input input = {.tokens = tokens, .batch = BATCH, .length = LENGTH};
    size_t steps = 0;
    double seconds[MOST], sum = 0;
    for (size_t i = 0; i < WARM_UP; i++)
        bench_train_seconds(model, &optimizer, &t, &input);
    trace_clear_totals();
    for (; steps < AT_LEAST || (sum < at_least && steps < MOST); steps++) {
        if (count) thread_count_begin(count);
        sum += seconds[steps] = bench_train_seconds(model, &optimizer, &t, &input);
        if (count) thread_count_end(count);
    }
    SmallStep result = {.median = quantile(seconds, steps, 0.5),
                        .mean = sum / (double)steps,
                        .steps = steps,
                        .flop = small_flop(model)};
    adamw_free(&optimizer);
    tape_free(&t);
    gpt2_free(model);
    return result;
}

void bench_small(Csv *csv, size_t threads) {
    enum { ROUNDS = 5 };
    double steps[ROUNDS], rates[ROUNDS];
    SmallStep small;
    bench_threads(threads);
    parts_start();
    for (size_t r = 0; r < ROUNDS; r++) {
        rates[r] = yardstick_product_rate(threads);
        small = small_step(1, NULL, 0.2);
        steps[r] = small.median;
    }
    Spread step = bench_spread(steps, ROUNDS);
    double bound = small.flop / quantile(rates, ROUNDS, 0.5);
    printf("\ntraining step of a small model, %d x %d tokens, %zu thread%s: %.2f ms "
           "(spread %.0f %%), %.2f "
           "of the rate of "
           "products\n",
           BATCH, LENGTH, threads, threads > 1 ? "s" : "", 1e3 * step.middle,
           100 * step.spread, bound / step.middle);
    csv_row(csv, "%zu,%.4g,%.4g,%.4g,%.2g", threads, step.middle, bound,
            bound / step.middle, step.spread);
    parts_print(NULL, "small", threads, small.mean * (double)small.steps, small.steps);
}

static const double a_second = 1;

void bench_small_step(const Settings *settings) {
    ThreadCount count = thread_count_create(settings->threads);
    printf("%.6f\n", small_step(settings->seed, &count, a_second).mean);
}

void bench_small_step_all(const Settings *settings) {
    printf("%.6f\n", small_step(settings->seed, NULL, a_second).mean);
}

typedef struct {
    const char *name, *environment, *experiment;
    bool all_threads;
} Way;

/* What waiting.sh chooses, and what the runtimes choose by themselves. */
#define SHORT "GOMP_SPINCOUNT=5000 KMP_BLOCKTIME=1"
#define RUNTIMES_OWN "GOMP_SPINCOUNT=300000 KMP_BLOCKTIME=200"
static const Way ways[] = {
    {"1 thread", SHORT, "small-step-all", false},
    {"as a training does", SHORT, "small-step", true},
    {"all threads", SHORT, "small-step-all", true},
    {"all threads; runtime's own waiting", RUNTIMES_OWN, "small-step-all", true}};
enum {
    WAYS = sizeof ways / sizeof *ways,
    MOST_TURNS = 3
}; /* a turn takes a process and a second or two */

static double step_seconds(const Way *way, size_t threads) {
    char command[256], line[256];
    double seconds = 0;
    snprintf(command, sizeof command,
             "unset OMP_WAIT_POLICY GOMP_SPINCOUNT KMP_BLOCKTIME KMP_LIBRARY; "
             "%s \"$BENCH\" --experiment %s --threads %zu",
             way->environment, way->experiment, way->all_threads ? threads : 1);
    FILE *child = popen(command, "r");
    if (!child) die("cannot run '%s'", command);
    while (fgets(line, sizeof line, child)) seconds = strtod(line, NULL);
    if (pclose(child) != 0 || seconds <= 0) die("'%s' measured nothing", command);
    return seconds;
}

/* It ends with us, however that comes. */
static pid_t start_busy_process(void) {
    pid_t parent = getpid(), child = fork();
    if (child < 0) die("cannot start a process");
    if (child == 0) {
        for (volatile unsigned turns = 0; turns++ % 1000000 || getppid() == parent;) {
        }
        _exit(0);
    }
    return child;
}

static void end_process(pid_t child) {
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* One row for each way: the median of its rounds, as a ratio to those of one thread. */
static void compare(Csv *csv, const char *beside, size_t threads) {
    size_t rounds = bench_rounds < MOST_TURNS ? bench_rounds : MOST_TURNS;
    double seconds[WAYS][MOST_TURNS], ratios[WAYS][MOST_TURNS];
    for (size_t r = 0; r < rounds; r++) {
        for (size_t w = 0; w < WAYS; w++) {
            seconds[w][r] = step_seconds(&ways[w], threads);
            ratios[w][r] = seconds[w][r] / seconds[0][r];
        }
    }
    printf("\na small training step, %s\n", beside);
    for (size_t w = 0; w < WAYS; w++) {
        double step = quantile(seconds[w], rounds, 0.5);
        Spread ratio = bench_spread(ratios[w], rounds);
        printf("  %-36s %8.1f ms %8.2f   spread %3.0f %%\n", ways[w].name, 1e3 * step,
               ratio.middle, 100 * ratio.spread);
        csv_row(csv, "%s,%s,%.4g,%.4g,%.2g", beside, ways[w].name, step, ratio.middle,
                ratio.spread);
    }
}

void bench_waiting(Csv *csv, size_t threads) {
    compare(csv, "alone", threads);
    pid_t busy = start_busy_process();
    compare(csv, "beside a busy process", threads);
    end_process(busy);
}

/* Open problems: see problem.h. */
#include "program/problem.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/claim.h"
#include "math/fit.h"

int problem_run(int argc, char **argv, const char *name,
                void (*judge)(const Settings *settings)) {
    /* The number of tools/learner/problem.sh, which says that the judge has come to its
     * end: a learner's file that ends the program does not know it. */
    char number[32] = "";
    if (getenv("JUDGE_NUMBER") &&
        (!fgets(number, sizeof number, stdin) || !freopen("/dev/null", "r", stdin)))
        die("JUDGE_NUMBER is set: a number was expected on standard input");
    /* seed by seed, also where tools/learner/problem.sh reads along */
    setvbuf(stdout, NULL, _IOLBF, 0);
    int code = program_run(argc, argv,
                           &(Program){.name = name,
                                      .summary = "judges an open problem",
                                      .example = "--threads 1",
                                      .demo = judge});
    if (code == 0) fputs(number, stdout);
    return code;
}

void problem_measure(double value[PROBLEM_SEEDS], const Settings *settings,
                     double (*measure)(uint64_t seed), const char *line) {
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        value[k] = measure(settings->seed + k);
        printf("seed %zu: ", k + 1);
        printf(line, value[k]);
        putchar('\n');
    }
}

void problem_at_most(const char *what, const double value[PROBLEM_SEEDS],
                     double bound) {
    double worst = value[0];
    for (size_t k = 1; k < PROBLEM_SEEDS; k++) worst = larger(worst, value[k]);
    claim(worst <= bound, "%s: at most %.5g, expected at most %g for every seed", what,
          worst, bound);
}

void problem_at_least(const char *what, const double value[PROBLEM_SEEDS],
                      double bound) {
    double worst = value[0];
    for (size_t k = 1; k < PROBLEM_SEEDS; k++) worst = smaller(worst, value[k]);
    claim(worst >= bound, "%s: at least %.5g, expected at least %g for every seed",
          what, worst, bound);
}

void problem_todo(const char *problem, const char *file, int line) {
    static bool said;
    if (said) return;
    said = true;
    const char *name = strchr(problem, '/');
    printf("%s:%d: %s is as it was given; for a hint: make hint-%.2s P=%s\n", file,
           line, problem, problem, name ? name + 1 : problem);
}

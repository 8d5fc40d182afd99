/* Tests of common/thread_tuner: the choice on machines that are made of numbers. */
#include "kernels/thread_tuner.h"

#include "check/check.h"

/* Seconds of a piece with n threads on `idle` processors of `all`: beside another
 * program each is late. */
static double seconds(size_t n, size_t idle) {
    return n <= idle ? 1.0 / (double)n + 0.06 : 1.35 * (1.0 / (double)idle + 0.06);
}

/* The mean of some pieces; the first ones are noisy by a tenth, as measurements are. */
static double mean_of(ThreadTuner *c, size_t pieces, size_t idle) {
    double sum = 0;
    for (size_t i = 0; i < pieces; i++) {
        double took = seconds(c->next, idle) * (1 + 0.1 * (double)(i * 7 % 11) / 11);
        sum += took / (double)pieces;
        thread_tuner_learn(c, took);
    }
    return sum;
}

Test(thread_tuner, idle_machine_is_used) {
    for (size_t most = 1; most <= 8; most++) {
        ThreadTuner c = thread_tuner_create(most);
        double mean = mean_of(&c, 1000, 8), best = seconds(most, 8) * 1.05;
        CHECK(c.now == most, "%zu threads of %zu on an idle machine", c.now, most);
        CHECK(mean < 1.03 * best,
              "%zu threads: a piece takes %.3f, without trials %.3f", most, mean, best);
    }
}

Test(thread_tuner, busy_machine_is_left_alone) {
    for (size_t most = 2; most <= 8; most++) {
        ThreadTuner c = thread_tuner_create(most);
        double mean = mean_of(&c, 1000, most - 1),
               best = seconds(most - 1, most - 1) * 1.05;
        CHECK(c.now == most - 1, "%zu threads of %zu where one processor is busy",
              c.now, most);
        CHECK(mean < 1.03 * best,
              "%zu threads: a piece takes %.3f, one thread less %.3f", most, mean,
              best);
    }
}

/* Another program comes and goes. */
Test(thread_tuner, follows_the_machine) {
    ThreadTuner c = thread_tuner_create(4);
    mean_of(&c, 500, 4);
    mean_of(&c, 6, 3);
    CHECK(c.now == 3, "%zu threads soon after a program has come, expected 3", c.now);
    mean_of(&c, 6, 2);
    CHECK(c.now == 2, "%zu threads soon after another has come, expected 2", c.now);
    mean_of(&c, 300, 4);
    CHECK(c.now == 4, "%zu threads some time after both have gone, expected 4", c.now);
}

/* Ten pieces, as short as a training can be. */
Test(thread_tuner, short_work) {
    ThreadTuner c = thread_tuner_create(2);
    double mean = mean_of(&c, 10, 1);
    CHECK(mean < 1.25 * 1.06,
          "ten pieces beside another program take %.3f each, with one thread %.3f",
          mean, 1.06);
}

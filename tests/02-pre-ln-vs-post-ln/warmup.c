/* Tests of exercise 02/warmup. */
#include "02-pre-ln-vs-post-ln/warmup.h"

#include <math.h>
#include <stdint.h>

#include "check/check.h"

enum { STEPS = 9, WARMUP = 4 };

/* peak 0.8, four steps of warm-up: 0.2 0.4 0.6 0.8, then 0.8. */
Test(warmup, line_then_level, .timeout = 10) {
    float rates[STEPS];
    double expected[STEPS], from_zero[STEPS], late[STEPS], early[STEPS], whole[STEPS],
        no_cap[STEPS], both_later[STEPS];
    double no_warmup[STEPS], decay[STEPS], root[STEPS], factor[STEPS], steps[STEPS],
        jump[STEPS];
    for (size_t i = 0; i < STEPS; i++) {
        size_t step = i + 1;
        double s = steps[i] = (double)step, share = s / WARMUP,
               capped = share < 1 ? share : 1;
        rates[i] = warmup_rate(0.8f, step, WARMUP);
        expected[i] = 0.8 * capped;
        from_zero[i] = 0.8 * (s - 1 < WARMUP ? (s - 1) / WARMUP : 1);
        late[i] = 0.8 * (s < WARMUP + 1 ? s / (WARMUP + 1) : 1);
        jump[i] = 0.8 * (s < WARMUP ? s / (WARMUP + 1) : 1);
        early[i] = 0.8 * (s + 1 < WARMUP ? (s + 1) / WARMUP : 1);
        both_later[i] = 0.8 * (s < WARMUP ? (s + 1) / (WARMUP + 1) : 1);
        whole[i] = step < WARMUP ? 0 : 0.8;
        no_cap[i] = 0.8 * share;
        no_warmup[i] = 0.8;
        decay[i] = step < WARMUP ? 0.8 * share : 0.8 * WARMUP / s;
        /* as Vaswani et al. go on */
        root[i] = step < WARMUP ? 0.8 * share : 0.8 * sqrt(WARMUP / s);
        factor[i] = capped;
    }
    AXES({"step", "steps", STEPS});
    axis_counts_from("step", 1);
    KNOW_AS("step", steps, "step");
    KNOW_AS("the share of the peak", factor, "step");
    know_number("peak / warmup_steps", 0.8 / WARMUP);
    know_number("the peak", 0.8);
    know_number("warmup_steps", WARMUP);
    CHECK_CLOSE(
        "the rate of steps 1 to 9", rates, expected, STEPS, 1e-6,
        {"steps are counted from 0: the first one would train at rate 0", from_zero},
        {"the rate is divided by warmup_steps + 1: the peak comes a step late", late},
        {"the rate is divided by warmup_steps + 1, and jumps to the peak", jump},
        {"step + 1 stands for step, which already counts from 1", early},
        {"it is (step + 1) / (warmup_steps + 1): step counts from 1 already",
         both_later},
        {"step / warmup_steps is a division of integers: it is 0 until the end", whole},
        {"the rate goes on growing behind warmup_steps", no_cap},
        {"there is no warm-up at all", no_warmup},
        {"the rate falls again after the warm-up: decay is another schedule", decay},
        {"the rate falls again after the warm-up: decay is another schedule", root},
        {"the peak is left out: this is the share alone", factor});
}

/* The rate is a function of the step: asked for twice, or again after --resume, it is
 * the same. */
Test(warmup, calls_share_nothing, .timeout = 10) {
    float first = warmup_rate(0.8f, 2, WARMUP), second = warmup_rate(0.8f, 2, WARMUP);
    CHECK(first == second,
          "the rate of step 2 is %.7g, and asked for again %.7g; this is what you get "
          "when a static variable "
          "counts the calls: step says which step it is",
          (double)first, (double)second);
    CHECK_NUMBER("the rate of step 2", first, 0.4, 1e-6);
}

/* Three steps of warm-up: a third is no whole number of anything. */
Test(warmup, thirds, .timeout = 10) {
    float rates[] = {warmup_rate(0.9f, 1, 3), warmup_rate(0.9f, 2, 3)};
    know_number("the peak", 0.9);
    CHECK_CLOSE("the rate of steps 1 and 2 of 3", rates, ((double[]){0.3, 0.6}), 2,
                1e-6,
                {"the share is kept as whole per cents: a division of integers",
                 ((double[]){0.297, 0.594})},
                {"step / warmup_steps is a division of integers: it is 0 until the end",
                 ((double[]){0, 0})});
}

Test(warmup, peak_is_exact, .timeout = 10) {
    float peak = 3e-4f;
    for (size_t warmup_steps = 1; warmup_steps <= 1000; warmup_steps++) {
        float at = warmup_rate(peak, warmup_steps, warmup_steps);
        CHECK(at == peak,
              "with %zu steps of warm-up, step %zu has rate %.9g, expected exactly the "
              "peak %.9g",
              warmup_steps, warmup_steps, (double)at, (double)peak);
    }
}

Test(warmup, none_at_all, .timeout = 10) {
    float rates[] = {warmup_rate(0.5f, 1, 0), warmup_rate(0.5f, 2, 0),
                     warmup_rate(0.5f, 1000, 0)};
    double expected[] = {0.5, 0.5, 0.5};
    know_number("the peak", 0.5);
    CHECK_CLOSE("the rate with warmup_steps = 0", rates, expected, 3, 1e-6);
}

/* A size_t holds more than an int, also where it has 32 bits. */
Test(warmup, long_schedule, .timeout = 10) {
    size_t warmup_steps = (size_t)2800 * 1000 * 1000;
    size_t steps[] = {warmup_steps / 4, warmup_steps / 8 * 7, warmup_steps / 2 * 3};
    float rates[3];
    double expected[] = {0.5, 1.75, 2}, in_ints[3];
    for (int i = 0; i < 3; i++) {
        rates[i] = warmup_rate(2, steps[i], warmup_steps);
        int32_t all = (int32_t)(uint32_t)warmup_steps,
                step = (int32_t)(uint32_t)steps[i];
        in_ints[i] = step >= all ? 2 : 2.0 * step / all;
    }
    CHECK_CLOSE("the rate at 1/4, 7/8 and 3/2 of 2.8e9 steps", rates, expected, 3, 1e-6,
                {"steps are kept in an int, which holds no 2.8e9", in_ints});
}

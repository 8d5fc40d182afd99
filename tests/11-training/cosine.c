/* Tests of exercise 11/cosine. */
#include "11-training/cosine.h"

#include <math.h>
#include <stdlib.h>

#include "check/check.h"
#include "check/golden.h"
#include "base/memory.h"

/* Of a peak of 0.005 and a lowest rate of 0.0005; see known.h. */
static void know_schedule(size_t steps, size_t warmup_steps, size_t total_steps) {
    double *progress = checked_alloc(steps, sizeof *progress),
           *cosine = checked_alloc(steps, sizeof *cosine),
           *fall = checked_alloc(steps, sizeof *fall);
    for (size_t i = 0; i < steps; i++) {
        double behind = (double)i + 1 - (double)warmup_steps;
        progress[i] = behind / (double)(total_steps - warmup_steps);
        cosine[i] = cos(M_PI * progress[i]);
        fall[i] = 0.0045 * (1 + cosine[i]) / 2;
    }
    AXES({"step", "steps", steps});
    axis_counts_from("step", 1);
    KNOW_AS("progress", progress, "step");
    KNOW_AS("cos(pi progress)", cosine, "step");
    KNOW_AS("(peak - lowest) (1 + cos(pi progress)) / 2", fall, "step");
    know_number("the peak", 0.005);
    know_number("lowest", 0.0005);
    know_number("(peak - lowest) / 2", 0.00225);
    know_number("warmup_steps", (double)warmup_steps);
    know_number("total_steps", (double)total_steps);
    know_number("(total_steps - warmup_steps)", (double)(total_steps - warmup_steps));
}

/* The progress that the learner's rates stand for; NaN in the warm-up, and where there
 * is none. */
static void know_progress(const float *got, size_t n) {
    static double progress[32], right[32], steps[32];
    for (size_t i = 0; i < n; i++) {
        steps[i] = (double)i + 1;
        right[i] = i < 4 ? NAN : ((double)i - 3) / 7;
        progress[i] =
            i < 4 ? NAN : acos(((double)got[i] - 0.0005) / 0.00225 - 1) / M_PI;
    }
    KNOW_AS("step", steps, "step");
    know_number("pi", M_PI);
    know_number("pi / 3.14", M_PI / 3.14);
    know_number("pi / 3.1416", M_PI / 3.1416);
    know_inside("the progress", progress, right, n, 1e-5);
}

/* The schedule of the golden training run: peak 0.005, lowest 0.0005,
 * 4 steps of warm-up, the end at step 11. */
Test(cosine, equals_the_golden_schedule, .timeout = 10) {
    size_t n;
    const double *expected = golden("tiny_gpt2/golden_f64", NULL, "trainB.lrs", &n);
    float got[32];
    double no_warmup[32], no_lowest[32], linear[32], stuck[32], whole_turn[32],
        rises[32], from_peak[32], not_halved[32], cut_off[32];
    for (size_t i = 0; i < n; i++) {
        double step = (double)i + 1, progress = step <= 4 ? 0 : (step - 4) / 7,
               warm = step < 4 ? step / 4 : 1;
        got[i] = cosine_rate(0.005f, 0.0005f, i + 1, 4, 11);
        no_warmup[i] = 0.0005 + 0.0045 * 0.5 * (1 + cos(M_PI * progress));
        no_lowest[i] =
            step <= 4 ? 0.005 * warm : 0.005 * 0.5 * (1 + cos(M_PI * progress));
        linear[i] = step <= 4 ? 0.005 * warm : 0.005 - 0.0045 * progress;
        stuck[i] = step <= 4 ? 0.005 * warm : 0.005;
        double cosine = cos(M_PI * progress);
        whole_turn[i] = step <= 4
                            ? 0.005 * warm
                            : 0.0005 + 0.0045 * 0.5 * (1 + cos(2 * M_PI * progress));
        rises[i] = step <= 4 ? 0.005 * warm : 0.0005 + 0.0045 * 0.5 * (1 - cosine);
        from_peak[i] = step <= 4 ? 0.005 * warm : 0.0005 + 0.005 * 0.5 * (1 + cosine);
        cut_off[i] = fmax(0.0005, no_lowest[i]);
        not_halved[i] = step <= 4 ? 0.005 * warm : 0.0005 + 0.0045 * (1 + cosine);
    }
    know_schedule(n, 4, 11);
    know_progress(got, n);
    CHECK_CLOSE(
        "the rates of steps 1 to 10", got, expected, n, 1e-6,
        {"there is no warm-up", no_warmup},
        {"the cosine ends at 0 instead of `lowest`", no_lowest},
        {"the cosine falls to 0, and `lowest` cuts it off: it falls to `lowest`",
         cut_off},
        {"the rate falls linearly", linear},
        {"progress is a whole number (integer division)", stuck},
        {"it falls and rises again: cos_turn counts whole turns, of which half a one "
         "is wanted",
         whole_turn},
        {"it rises: 1 - cos", rises}, {"lowest is not taken off the peak", from_peak},
        {"1 + cos is not halved", not_halved});
}

/* Peak 1, lowest 0.04, 10 steps of warm-up, by themselves. */
Test(cosine, the_warmup, .timeout = 10) {
    enum { STEPS = 10 };
    float got[STEPS];
    double right[STEPS], from_lowest[STEPS], from_zero[STEPS], one_more[STEPS],
        none[STEPS], cosine[STEPS], wrapped[STEPS];
    for (size_t i = 0; i < STEPS; i++) {
        double step = (double)i + 1, share = step / STEPS;
        got[i] = cosine_rate(1, 0.04f, i + 1, STEPS, 110);
        right[i] = share;
        from_lowest[i] = 0.04 + 0.96 * share;
        from_zero[i] = (step - 1) / STEPS;
        one_more[i] = step / (STEPS + 1);
        none[i] = 1;
        cosine[i] = 0.5 * (1 - cos(M_PI * share));
        wrapped[i] = step < STEPS ? 0.04 : 1;
    }
    AXES({"step", "steps", STEPS});
    axis_counts_from("step", 1);
    CHECK_CLOSE("the rates of the warm-up, steps 1 to 10,", got, right, STEPS, 1e-6,
                {"the warm-up starts at `lowest`: it starts at 0", from_lowest},
                {"the steps are counted from 0: the first one is 1", from_zero},
                {"the peak is reached a step too late", one_more},
                {"there is no warm-up", none},
                {"the warm-up is a cosine: it is a line", cosine},
                {"the warm-up gives `lowest` until its end: does step - warmup_steps "
                 "wrap around, as a "
                 "size_t below 0?",
                 wrapped});
}

/* Peak 1, lowest 0.1, 10 steps of warm-up, the end at step 110. */
Test(cosine, first_last_and_beyond, .timeout = 10) {
    double share = 60 / 110.0;
    CHECK_NUMBER("the rate at the end of the warm-up",
                 cosine_rate(1, 0.1f, 10, 10, 110), 1, 1e-6);
    CHECK_NUMBER(
        "the rate half-way, at step 60 of 10 to 110,",
        cosine_rate(1, 0.1f, 60, 10, 110), 0.55, 1e-6,
        {"progress is counted from step 0 instead of the end of the warm-up",
         &(double){0.1 + 0.45 * (1 + cos(M_PI * share))}},
        {"cos_turn counts whole turns, of which half a one is wanted", &(double){0.1}},
        {"progress is counted from step 0, and cos_turn counts whole turns",
         &(double){0.1 + 0.45 * (1 + cos(2 * M_PI * share))}},
        {"it is a quarter of a turn, cos(pi / 2 * progress): half a one is wanted, and "
         "(1 + cos) / 2",
         &(double){0.1 + 0.9 * cos(M_PI / 4)}},
        {"only warmup_steps are divided, not step - warmup_steps: brackets are missing",
         &(double){0.1 + 0.45 * (1 + cos(M_PI * (60 - 10 / 100.0)))}},
        {"the end comes a step early: progress is 1 at total_steps, not at the step "
         "before",
         &(double){0.1 + 0.45 * (1 + cos(M_PI * 50 / 99))}},
        {"the first step behind the warm-up has a progress of 0, as the last one of it",
         &(double){0.1 + 0.45 * (1 + cos(M_PI * 49 / 100))}},
        {"the cosine ends at 0 instead of `lowest`", &(double){0.5}},
        {"the cosine falls to 0, and `lowest` cuts it off: it falls to `lowest`",
         &(double){0.5}},
        {"the rate falls linearly from the peak at step 0",
         &(double){1 - 0.9 * share}});
    CHECK_NUMBER("the rate at the last step", cosine_rate(1, 0.1f, 110, 10, 110), 0.1,
                 1e-6, {"the cosine ends at 0 instead of `lowest`", &(double){0}});
    CHECK_NUMBER("the rate beyond the last step", cosine_rate(1, 0.1f, 500, 10, 110),
                 0.1, 1e-6,
                 {"the cosine goes on after the last step",
                  &(double){0.1 + 0.45 * (1 + cos(M_PI * 4.9))}},
                 {"the cosine ends at 0 instead of `lowest`", &(double){0}});
}

Test(cosine, no_warmup, .timeout = 10) {
    CHECK_NUMBER("the rate of step 1 of 2", cosine_rate(1, 0, 1, 0, 2), 0.5, 1e-6,
                 {"progress is a whole number (integer division)", (double[]){1}},
                 {"it falls and rises again: cos_turn counts whole turns, of which "
                  "half a one is wanted",
                  (double[]){0}});
}

Test(cosine, all_warmup, .timeout = 10) {
    CHECK_NUMBER(
        "the rate when warm-up and end are one", cosine_rate(2, 1, 4, 4, 4), 2, 1e-6,
        {"`lowest` is asked for before the warm-up: the header wants the warm-up first",
         (double[]){1}},
        {"progress is 0 / 0", (double[]){NAN}});
}

Test(cosine, a_long_warmup, .timeout = 10) {
    CHECK_NUMBER(
        "the rate of step 5000 of 10000 of warm-up",
        cosine_rate(1, 0, 5000, 10000, 20000), 0.5, 1e-6,
        {"the cosine begins at step 0", (double[]){0.5 * (1 + cos(M_PI / 4))}});
    CHECK_NUMBER("the rate half-way behind 10000 of warm-up",
                 cosine_rate(1, 0, 15000, 10000, 20000), 0.5, 1e-6,
                 {"progress is a whole number (integer division)", (double[]){1}},
                 {"it falls and rises again: cos_turn counts whole turns, of which "
                  "half a one is wanted",
                  (double[]){0}});
}

/* Tests of exercise 19/dpo_loss. */
#include "19-fine-tuning/dpo_loss.h"

#include <math.h>

#include "base/memory.h"
#include "check/check.h"
#include "check/golden.h"

/* n pairs; arrays that end at a forbidden page. */
typedef struct {
    size_t n;
    double beta;
    float *chosen, *rejected, *ref_chosen, *ref_rejected;
} Pairs;

/* What a mistake makes of the loss or of the gradients. */
typedef enum {
    RIGHT,
    NO_REFERENCE,
    REFERENCE_ADDED,
    SWAPPED,
    NO_BETA,
    SUMMED, /* no mean over the pairs */
    NEGATIVE,
    NO_SIGMOID,
    MEAN_INSIDE,     /* -ln sigmoid of the mean */
    BETA_MISSING,    /* in front of the gradient */
    BETA_TWICE,      /* there */
    OTHER_SIDE,      /* sigmoid(z) for sigmoid(-z) */
    SIGMOID_S_SLOPE, /* sigmoid(z) sigmoid(-z) */
    VARIATIONS
} Variation;

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

static double z_of(const Pairs *p, size_t i, Variation v) {
    double chosen = (double)p->chosen[i], rejected = (double)p->rejected[i],
           ref_chosen = (double)p->ref_chosen[i],
           ref_rejected = (double)p->ref_rejected[i],
           sign = v == REFERENCE_ADDED ? 1
                  : v == NO_REFERENCE  ? 0
                                       : -1,
           margin = chosen + sign * ref_chosen - (rejected + sign * ref_rejected);
    return (v == SWAPPED ? -1 : 1) * (v == NO_BETA ? 1 : p->beta) * margin;
}

static double minus_log_sigmoid(double z) {
    return (z < 0 ? -z : 0) + log1p(exp(-fabs(z)));
}

static double loss_of(const Pairs *p, Variation v) {
    double sum = 0, sum_z = 0, n = (double)p->n;
    for (size_t i = 0; i < p->n; i++) {
        double z = z_of(p, i, v);
        sum += minus_log_sigmoid(z);
        sum_z += z;
    }
    if (v == MEAN_INSIDE) return minus_log_sigmoid(sum_z / n);
    if (v == NO_SIGMOID) return -sum_z / n;
    return (v == NEGATIVE ? -1 : 1) * sum / (v == SUMMED ? 1 : n);
}

/* The gradient with respect to chosen; that of rejected is its negative. */
static double *gradient_of(const Pairs *p, Variation v, double sign) {
    double *d = checked_alloc(p->n, sizeof *d);
    for (size_t i = 0; i < p->n; i++) {
        double z = z_of(p, i, v), slope = sigmoid(-z);
        if (v == OTHER_SIDE) slope = sigmoid(z);
        if (v == SIGMOID_S_SLOPE) slope *= sigmoid(z);
        if (v == SWAPPED) slope = -slope;
        if (v == NEGATIVE) slope = -slope;
        if (v != BETA_MISSING && v != NO_BETA) slope *= p->beta;
        if (v == BETA_TWICE) slope *= p->beta;
        d[i] = -sign * slope / (v == SUMMED ? 1 : (double)p->n);
    }
    return d;
}

static float call(const Pairs *p, float *dchosen, float *drejected) {
    crash_means("an array [n] is used behind its end");
    return dpo_loss(dchosen, drejected, &(PairLogP){p->chosen, p->rejected},
                    &(PairLogP){p->ref_chosen, p->ref_rejected}, p->n, (float)p->beta);
}

static void check_gradient(const char *what, const float *got, const Pairs *p,
                           double sign) {
    AXES({"pair", "n", p->n});
    KNOW_AS("chosen", p->chosen, "pair");
    KNOW_AS("rejected", p->rejected, "pair");
    know_number("beta", p->beta);
    CHECK_CLOSE(
        what, got, gradient_of(p, RIGHT, sign), p->n, 1e-5,
        {"the sign is wrong: a step against it makes the loss larger",
         gradient_of(p, RIGHT, -sign)},
        {"the gradients are not divided by the number of pairs: the loss is a mean",
         gradient_of(p, SUMMED, sign)},
        {"the factor beta is missing", gradient_of(p, BETA_MISSING, sign)},
        {"beta is a factor twice", gradient_of(p, BETA_TWICE, sign)},
        {"it is sigmoid(z): the slope of -ln sigmoid(z) is -sigmoid(-z)",
         gradient_of(p, OTHER_SIDE, sign)},
        {"it is the slope of sigmoid(z), not of its logarithm",
         gradient_of(p, SIGMOID_S_SLOPE, sign)},
        {"the reference is forgotten", gradient_of(p, NO_REFERENCE, sign)},
        {"the reference is added", gradient_of(p, REFERENCE_ADDED, sign)},
        {"the chosen and the rejected answers are exchanged",
         gradient_of(p, SWAPPED, sign)},
        {"beta is forgotten", gradient_of(p, NO_BETA, sign)});
}

static void check_loss(double got, const Pairs *p) {
    CHECK_NUMBER(
        "the loss", got, loss_of(p, RIGHT), 1e-5,
        {"the reference is forgotten", (double[]){loss_of(p, NO_REFERENCE)}},
        {"the reference is added: its ln p is subtracted, as it divides",
         (double[]){loss_of(p, REFERENCE_ADDED)}},
        {"the chosen and the rejected answers are exchanged",
         (double[]){loss_of(p, SWAPPED)}},
        {"beta is forgotten", (double[]){loss_of(p, NO_BETA)}},
        {"it is the sum over the pairs, not the mean", (double[]){loss_of(p, SUMMED)}},
        {"it is ln sigmoid, without the minus", (double[]){loss_of(p, NEGATIVE)}},
        {"-ln sigmoid is forgotten: it is the margin alone",
         (double[]){loss_of(p, NO_SIGMOID)}},
        {"the mean is taken before -ln sigmoid: each pair has a loss of its own",
         (double[]){loss_of(p, MEAN_INSIDE)}});
}

static void check_pairs(const Pairs *p) {
    float *dchosen = nan_floats(p->n), *drejected = nan_floats(p->n);
    check_loss((double)call(p, dchosen, drejected), p);
    check_gradient("dchosen", dchosen, p, 1);
    check_gradient("drejected", drejected, p, -1);
}

static float *copy(const float *x, size_t n) {
    return guarded_copy(x, n, sizeof *x);
}

/* ln p of whole answers, the policy's near the reference's. */
static Pairs random_pairs(size_t n, double beta) {
    Pairs p = {n,
               beta,
               normal_floats(n, 3, 1),
               normal_floats(n, 3, 2),
               normal_floats(n, 5, 3),
               normal_floats(n, 5, 4)};
    for (size_t i = 0; i < n; i++) {
        p.ref_chosen[i] -= 40;
        p.ref_rejected[i] -= 40;
        p.chosen[i] += p.ref_chosen[i];
        p.rejected[i] += p.ref_rejected[i];
    }
    return p;
}

/* The chosen answer has gained 1 and the other lost 1.5: beta times the margin is
 * 1.25. */
Test(dpo_loss, one_pair_by_hand, .timeout = 10) {
    Pairs p = {1,
               0.5,
               copy((float[]){-2}, 1),
               copy((float[]){-4}, 1),
               copy((float[]){-3}, 1),
               copy((float[]){-2.5f}, 1)};
    check_pairs(&p);
}

Test(dpo_loss, the_start, .timeout = 10) {
    enum { N = 4 };
    Pairs p = random_pairs(N, 0.1);
    PairLogP same = {p.ref_chosen, p.ref_rejected};
    for (float beta = 0.1f; beta < 4; beta *= 5) {
        float *dchosen = nan_floats(N), *drejected = nan_floats(N);
        float loss = dpo_loss(dchosen, drejected, &same, &same, N, beta);
        CHECK_NUMBER("the loss where the policy is the reference, ln 2", loss,
                     0.69314718, 1e-6, {"it is the sum", (double[]){N * 0.69314718}},
                     {"it is ln sigmoid, without the minus", (double[]){-0.69314718}},
                     {"the sigmoid's logarithm is missing", (double[]){0.5}},
                     {"it is the margin alone", (double[]){0}});
        for (size_t i = 0; i < N; i++)
            CHECK(
                fabsf(dchosen[i] + beta / 2 / N) < 1e-6f &&
                    fabsf(drejected[i] - beta / 2 / N) < 1e-6f,
                "at the start dchosen[%zu] and drejected[%zu] are %g and %g, expected "
                "-beta / (2 n) and beta / (2 n)",
                i, i, (double)dchosen[i], (double)drejected[i]);
    }
}

Test(dpo_loss, several_pairs, .timeout = 10) {
    Pairs p = random_pairs(5, 0.3);
    check_pairs(&p);
}

Test(dpo_loss, other_betas, .timeout = 10) {
    for (double beta = 0.05; beta < 3; beta *= 2.5) {
        Pairs p = random_pairs(3, beta);
        check_pairs(&p);
    }
}

/* The results are of this call alone. */
Test(dpo_loss, a_second_call, .timeout = 10) {
    enum { N = 3 };
    Pairs p = random_pairs(N, 0.3);
    float *dchosen = nan_floats(N), *drejected = nan_floats(N);
    call(&p, dchosen, drejected);
    double loss = (double)call(&p, dchosen, drejected);
    CHECK_NUMBER("the loss of the second call", loss, loss_of(&p, RIGHT), 1e-5);
    CHECK_CLOSE("dchosen of the second call", dchosen, gradient_of(&p, RIGHT, 1), N,
                1e-5,
                {"it was added to: the gradients are written, not added",
                 gradient_of(&p, RIGHT, 2)});
}

/* Pairs that the policy has long learned, or has quite wrong. */
Test(dpo_loss, large_margins, .timeout = 10) {
    enum { N = 6 };
    float zero[N] = {0}, margins[N] = {100, -100, 1000, -1000, 90, -90};
    for (size_t i = 0; i < N; i++) {
        float dchosen = NAN, drejected = NAN;
        PairLogP policy = {margins + i, zero + i}, reference = {zero, zero};
        float loss = dpo_loss(&dchosen, &drejected, &policy, &reference, 1, 1),
              expected = margins[i] < 0 ? -margins[i] : 0;
        CHECK(fabsf(loss - expected) < 1e-3f,
              "a margin of %g costs %g, expected %g: exp or ln overflows. With e^-|z| "
              "alone, which is at most 1, nothing can",
              (double)margins[i], (double)loss, (double)expected);
        float slope = margins[i] < 0 ? -1 : 0;
        CHECK(fabsf(dchosen - slope) < 1e-6f && fabsf(drejected + slope) < 1e-6f,
              "a margin of %g has the gradients %g and %g, expected %g and %g: exp "
              "overflows",
              (double)margins[i], (double)dchosen, (double)drejected, (double)slope,
              (double)-slope);
    }
}

Test(dpo_loss, many_pairs, .timeout = 10) {
    Pairs p = random_pairs(1000, 0.1);
    check_pairs(&p);
}

static void check_pytorch(const char *name) {
    Pairs p;
    p.chosen = golden_float("dpo", name, "policy_chosen", &p.n);
    p.rejected = golden_float("dpo", name, "policy_rejected", NULL);
    p.ref_chosen = golden_float("dpo", name, "reference_chosen", NULL);
    p.ref_rejected = golden_float("dpo", name, "reference_rejected", NULL);
    p.beta = golden_attr("dpo", name, "beta");
    float *dchosen = nan_floats(p.n), *drejected = nan_floats(p.n);
    double loss = (double)call(&p, dchosen, drejected);
    CHECK_NUMBER("PyTorch's loss", loss, *golden("dpo", name, "loss", NULL), 1e-5);
    CHECK_CLOSE("PyTorch's dchosen", dchosen, golden("dpo", name, "dchosen", NULL), p.n,
                1e-5);
    CHECK_CLOSE("PyTorch's drejected", drejected,
                golden("dpo", name, "drejected", NULL), p.n, 1e-5);
}

Test(dpo_loss, pytorch, .timeout = 10) {
    check_pytorch("one_pair");
    check_pytorch("at_the_start");
    check_pytorch("pairs");
    check_pytorch("beta_tenth");
}

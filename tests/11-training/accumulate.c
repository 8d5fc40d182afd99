/* Tests of exercise 11/accumulate. */
#include "11-training/accumulate.h"

#include <math.h>
#include <string.h>

#include "check/check.h"
#include "weights/params.h"

/* The loss of micro-batch i is the sum of data[i][j] * w[j]: its gradient is
 * data[i]. */
typedef struct {
    Tensor *w;
    float (*data)[2];
    size_t n_micro, calls, nodes_before;
    const size_t *n_targets;
} Context;

static Tensor *loss_of(Tape *t, void *context, size_t index) {
    Context *c = context;
    CHECK(index < c->n_micro,
          "loss_of is asked for micro-batch %zu of %zu: they are numbered from 0",
          index, c->n_micro);
    CHECK(!c->n_targets || c->n_targets[index],
          "micro-batch %zu has no targets, so its loss is no number: it is to be left "
          "out",
          index);
    c->calls++;
    c->nodes_before += t->n_nodes;
    return tape_weighted_sum(t, c->w, c->data[index]);
}

static Context make(Params *params) {
    static float data[3][2] = {{1, 2}, {3, -4}, {5, 8}};
    Context c = {
        .w = params_add(params, 1, (size_t[]){2}, "w"), .data = data, .n_micro = 3};
    c.w->data[0] = 0.5f;
    c.w->data[1] = 2.0f;
    return c;
}

Test(accumulate, gradient_of_the_mean, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Context c = make(&params);
    Tape t = tape_create(1);
    accumulate_gradients(&t, 3, NULL, loss_of, &c);
    AXES({"parameter", "parameters", 2}, {"micro-batch", "n_micro", 3});
    KNOW_AS("the gradient of micro-batch 0", c.data[0], "parameter");
    KNOW_AS("the gradient of micro-batch 1", c.data[1], "parameter");
    KNOW_AS("the gradient of micro-batch 2", c.data[2], "parameter");
    KNOW_AS("the mean gradient", ((double[]){3, 2}), "parameter");
    CHECK_CLOSE(
        "the gradient", c.w->grad, ((double[]){3, 2}), 2, 1e-6,
        {"the losses are added instead of averaged: scale by 1 / n_micro",
         (double[]){9, 6}},
        {"tape_backward runs twice on the same tape", (double[]){9, 6}},
        {"only the last micro-batch counts", (double[]){5, 8}},
        {"only the last micro-batch counts, scaled", (double[]){5.0 / 3, 8.0 / 3}},
        {"the first micro-batch is taken each time: give loss_of the index",
         (double[]){1, 2}},
        {"the scale is 0: 1 / n_micro in whole numbers", (double[]){0, 0}},
        {"it is scaled twice", (double[]){1, 2.0 / 3}},
        {"micro-batch i is scaled by 1 / (i + 1): all are by 1 / n_micro",
         (double[]){1 + 1.5 + 5.0 / 3, 2 - 2 + 8.0 / 3}},
        {"an earlier micro-batch is run backwards again: the tape is not reset",
         (double[]){14.0 / 3, 4.0 / 3}});
}

Test(accumulate, mean_loss, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Context c = make(&params);
    Tape t = tape_create(1);
    float loss = accumulate_gradients(&t, 3, NULL, loss_of, &c);
    AXES({"micro-batch", "n_micro", 3});
    CHECK_NUMBER(
        "the returned loss", loss, (4.5 - 6.5 + 18.5) / 3, 1e-6,
        {"the losses are added", (double[]){16.5}},
        {"the last loss is returned, or all are read when the tape holds only the last",
         (double[]){18.5}},
        {"it is divided twice", (double[]){16.5 / 9}});
}

Test(accumulate, unequal_targets, .timeout = 10) {
    static const size_t n_targets[3] = {6, 1, 3};
    Params params = {.mode = PARAMS_TRAIN};
    Context c = make(&params);
    Tape t = tape_create(1);
    float loss = accumulate_gradients(&t, 3, n_targets, loss_of, &c);
    AXES({"parameter", "parameters", 2}, {"micro-batch", "n_micro", 3});
    CHECK_CLOSE("the gradient where micro-batches have 6, 1 and 3 targets", c.w->grad,
                ((double[]){2.4, 3.2}), 2, 1e-6,
                {"each micro-batch counts the same, however many targets it has",
                 (double[]){3, 2}},
                {"the weights are not divided by all targets", (double[]){24, 32}},
                {"the weights are divided by n_micro and not by all targets",
                 (double[]){8, 32.0 / 3}});
    CHECK_NUMBER(
        "the returned loss where they have 6, 1 and 3 targets", loss, 7.6, 1e-6,
        {"each micro-batch counts the same, however many targets it has",
         &(double){5.5}},
        {"the losses are added, each as often as it has targets", &(double){76}});
}

Test(accumulate, without_targets, .timeout = 10) {
    static const size_t n_targets[3] = {2, 0, 2};
    Params params = {.mode = PARAMS_TRAIN};
    Context c = make(&params);
    c.n_targets = n_targets;
    Tape t = tape_create(1);
    float loss = accumulate_gradients(&t, 3, n_targets, loss_of, &c);
    AXES({"parameter", "parameters", 2}, {"micro-batch", "n_micro", 3});
    CHECK_CLOSE("the gradient where micro-batch 1 has no targets", c.w->grad,
                ((double[]){3, 5}), 2, 1e-6);
    CHECK_NUMBER("the returned loss where micro-batch 1 has no targets", loss, 11.5,
                 1e-6);
}

Test(accumulate, tape_is_reset, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Context c = make(&params);
    Tape t = tape_create(1);
    tape_weighted_sum(&t, c.w, c.data[0]); /* something is on the tape already */
    accumulate_gradients(&t, 3, NULL, loss_of, &c);
    CHECK(c.calls == 3, "the loss was computed %zu times, expected 3", c.calls);
    CHECK(c.nodes_before == 0,
          "a micro-batch began with %zu nodes on the tape: reset it before each",
          c.nodes_before);
}

Test(accumulate, adds_to_what_is_there, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Context c = make(&params);
    c.w->grad[0] = c.w->grad[1] = 100;
    Tape t = tape_create(1);
    accumulate_gradients(&t, 1, NULL, loss_of, &c);
    CHECK_CLOSE("the gradient, 100 before,", c.w->grad, ((double[]){101, 102}), 2,
                1e-6);
}

/* The second half of the micro-batches differs from the first, and a float that the
 * losses are summed in is off. */
Test(accumulate, thousands, .timeout = 10) {
    enum { MANY = 20003 };
    static float data[MANY][2];
    Params params = {.mode = PARAMS_TRAIN};
    Context c = make(&params);
    c.data = data;
    c.n_micro = MANY;
    double loss = 0, gradient[2] = {0};
    float in_float = 0, scaled_in_float = 0;
    for (size_t i = 0; i < MANY; i++) {
        data[i][0] = 0.1f;
        data[i][1] = i < MANY / 2 ? 0 : 0.7f;
        for (size_t j = 0; j < 2; j++) {
            gradient[j] += (double)data[i][j] / MANY;
            loss += (double)data[i][j] * (double)c.w->data[j] / MANY;
        }
        float one = data[i][0] * c.w->data[0] + data[i][1] * c.w->data[1];
        in_float += one;
        scaled_in_float += one * (1.0f / (float)MANY);
    }
    Tape t = tape_create(1);
    float got = accumulate_gradients(&t, MANY, NULL, loss_of, &c);
    CHECK_CLOSE("the gradient of 20003 micro-batches", c.w->grad, gradient, 2, 1e-3,
                {"the losses are added instead of averaged: scale by 1 / n_micro",
                 (double[]){MANY * gradient[0], MANY * gradient[1]}},
                {"tape_backward runs twice on the same tape",
                 (double[]){3 * gradient[0], 3 * gradient[1]}});
    CHECK_NUMBER(
        "the returned loss", got, loss, 1e-6,
        {"the losses are summed in float", &(double){(double)in_float / MANY}},
        {"the losses are summed in float", &(double){(double)scaled_in_float}});
}

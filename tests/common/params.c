/* Tests of common/params: names, counts, gradient norms, the three modes. */
#include "weights/params.h"

#include <stdint.h>
#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"

Test(params, registered_by_name_and_counted, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *first = NULL;
    for (size_t i = 0; i < 100; i++) { /* more than the list starts with */
        params_push(&params, "h.%zu", i);
        Tensor *x = params_add(&params, 2, (size_t[]){2, 3}, "weight");
        params_pop(&params);
        if (i == 0) first = x;
    }
    CHECK(params.n == 100 && params_count(&params) == 600,
          "%zu parameters with %zu numbers", params.n, params_count(&params));
    CHECK(params_find(&params, "h.0.weight") == first,
          "h.0.weight is not found, or has moved");
    CHECK(params_find(&params, "h.99.weight") == params.items[99].tensor,
          "h.99.weight is not found");
    CHECK(params_find(&params, "h.100.weight") == NULL,
          "a name that is not there is found");
    CHECK((uintptr_t)first->data % 64 == 0, "the data is not aligned to 64 bytes");
    for (size_t i = 0; i < 6; i++)
        CHECK(first->data[i] == 0 && first->grad[i] == 0, "not all zero at first");
    params_free(&params);
    CHECK(params.n == 0 && params.mode == PARAMS_TRAIN,
          "something is left after params_free");
}

Test(params, modes_decide_what_is_allocated, .timeout = 10) {
    Params infer = {.mode = PARAMS_INFER}, mapped = {.mode = PARAMS_MAPPED};
    Tensor *x = params_add(&infer, 1, (size_t[]){4}, "x"),
           *y = params_add(&mapped, 1, (size_t[]){4}, "y");
    CHECK(x->data && !x->grad, "for inference: data and no gradient");
    CHECK(!y->data && !y->grad, "mapped: neither");
    float file[4] = {0};
    Weight weight = weight_of_floats(file, 1, 4);
    params_take(&mapped, &mapped.items[0], &weight); /* not ours to free */
    CHECK(y->data == file, "the tensor is not where the file is");
    CHECK(params_bytes(&mapped) == 16, "%zu bytes of four floats",
          params_bytes(&mapped));
    params_zero_grad(&infer);
    params_free(&infer);
    params_free(&mapped);
}

Test(params, gradient_norms, .timeout = 10) {
    enum { LONG = 5000 };
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *a = params_add(&params, 1, (size_t[]){2}, "a"),
           *b = params_add(&params, 1, (size_t[]){LONG}, "b");
    a->grad[0] = 3;
    a->grad[1] = -4;
    CHECK_NUMBER("norm of a", tensor_grad_norm(a), 5, 1e-7);
    for (size_t i = 0; i < LONG; i++) b->grad[i] = i % 2 ? 2 : -2;
    CHECK_NUMBER("norm of b", tensor_grad_norm(b), 141.4213562, 1e-7);
    CHECK_NUMBER(
        "norm of both", params_grad_norm(&params), 141.5097170, 1e-7,
        {"the norms are added instead of their squares", &(double){146.4213562}});
    params_zero_grad(&params);
    CHECK(params_grad_norm(&params) == 0, "the norm is %g after params_zero_grad",
          params_grad_norm(&params));
    params_free(&params);
}

Test(params, names_are_pushed_and_popped, .timeout = 10) {
    Params params = {.mode = PARAMS_INFER};
    char long_name[400];
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    params_push(&params, "h.%d", 11);
    params_push(&params, "attn");
    params_add(&params, 1, (size_t[]){1}, "bias");
    params_push(&params, "%s", "");
    params_add(&params, 1, (size_t[]){1}, long_name);
    params_pop(&params);
    params_pop(&params);
    params_add(&params, 1, (size_t[]){1}, "scale");
    params_pop(&params);
    params_add(&params, 1, (size_t[]){1}, "last");
    const char *names[] = {"h.11.attn.bias", NULL, "h.11.scale", "last"};
    for (size_t i = 0; i < 4; i++)
        CHECK(!names[i] || strcmp(params.items[i].name, names[i]) == 0,
              "'%s', expected '%s'", params.items[i].name, names[i]);
    CHECK(strlen(params.items[1].name) == strlen("h.11.attn.") + 399,
          "a long name has %zu letters", strlen(params.items[1].name));
    CHECK(params.items[0].tensor->name == params.items[0].name,
          "the tensor does not know its name");
    params_free(&params);
}

/* Each gradient at a cache line of one block, in order; what is between them stays
 * zero; growing keeps what was there. */
Test(params, gradients_lie_in_one_block, .timeout = 10) {
    enum { N = 40 };
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *x[N];
    for (size_t i = 0; i < N; i++) {
        params_push(&params, "p%zu", i);
        x[i] = params_add(&params, 1, (size_t[]){i * 5 % 37}, "weight");
        params_pop(&params);
        for (size_t j = 0; j < tensor_size(x[i]); j++) x[i]->grad[j] = (float)(i + 1);
    }
    float *end = params.grads;
    double sum = 0, expected = 0;
    for (size_t i = 0; i < N; i++) {
        CHECK(x[i]->grad >= end && x[i]->grad <= end + 16,
              "gradient %zu does not follow the one before", i);
        CHECK((uintptr_t)x[i]->grad % 64 == 0,
              "gradient %zu is not aligned to 64 bytes", i);
        end = x[i]->grad + tensor_size(x[i]);
        expected += (double)((i + 1) * tensor_size(x[i]));
    }
    for (size_t i = 0; i < params.n_grads; i++) sum += (double)params.grads[i];
    CHECK(sum == expected && end <= params.grads + params.n_grads,
          "the block holds %g in all, the gradients %g", sum, expected);
    params_zero_grad(&params);
    CHECK(params_grad_norm(&params) == 0, "params_zero_grad leaves something");
    params_free(&params);
}

static void pop_too_often(void *unused) {
    (void)unused;
    Params params = {.mode = PARAMS_TRAIN};
    params_push(&params, "h");
    params_pop(&params);
    params_pop(&params);
}

static void add_twice(void *unused) {
    (void)unused;
    Params params = {.mode = PARAMS_TRAIN};
    params_push(&params, "wte");
    params_add(&params, 1, (size_t[]){1}, "weight");
    params_pop(&params);
    params_add(&params, 1, (size_t[]){1}, "wte.weight");
}

static void add_too_large(void *unused) {
    (void)unused;
    Params params = {.mode = PARAMS_TRAIN};
    params_add(&params, 2, (size_t[]){SIZE_MAX / 2, 3}, "x");
}

Test(params, says_what_is_wrong, .timeout = 10) {
    expect_exit(EXIT_INPUT, "parameter 'wte.weight' is registered twice", add_twice,
                NULL);
    expect_exit(EXIT_INPUT, "params_pop: nothing was pushed", pop_too_often, NULL);
    expect_exit(EXIT_INPUT, "does not fit in memory", add_too_large, NULL);
}

/* Tests of common/params: names, counts, gradient norms, the three modes. */
#include "params.h"

#include <stdint.h>

#include "check.h"
#include "dies.h"
#include "error.h"

Test(params, registered_by_name_and_counted, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *first = NULL;
    for (size_t i = 0; i < 100; i++) { /* more than the list starts with */
        params_push(&params, "h.%zu", i);
        Tensor *x = params_add(&params, 2, (size_t[]){2, 3}, "weight");
        params_pop(&params);
        if (i == 0) first = x;
    }
    CHECK(params.n == 100 && params_count(&params) == 600, "%zu parameters with %zu numbers", params.n,
          params_count(&params));
    CHECK(params_find(&params, "h.0.weight") == first, "h.0.weight is not found, or has moved");
    CHECK(params_find(&params, "h.99.weight") == params.items[99].tensor, "h.99.weight is not found");
    CHECK(params_find(&params, "h.100.weight") == NULL, "a name that is not there is found");
    CHECK((uintptr_t)first->data % 64 == 0, "the data is not aligned to 64 bytes");
    for (size_t i = 0; i < 6; i++) CHECK(first->data[i] == 0 && first->grad[i] == 0, "not all zero at first");
    params_free(&params);
    CHECK(params.n == 0 && params.mode == PARAMS_TRAIN, "something is left after params_free");
}

Test(params, modes_decide_what_is_allocated, .timeout = 10) {
    Params infer = {.mode = PARAMS_INFER}, mapped = {.mode = PARAMS_MAPPED};
    Tensor *x = params_add(&infer, 1, (size_t[]){4}, "x"), *y = params_add(&mapped, 1, (size_t[]){4}, "y");
    CHECK(x->data && !x->grad, "for inference: data and no gradient");
    CHECK(!y->data && !y->grad, "mapped: neither");
    float file[4] = {0};
    y->data = file; /* not ours to free */
    params_zero_grad(&infer);
    params_free(&infer);
    params_free(&mapped);
}

Test(params, gradient_norms, .timeout = 10) {
    enum { LONG = 5000 };
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *a = params_add(&params, 1, (size_t[]){2}, "a"),
           *b = params_add(&params, 1, (size_t[]){LONG}, "b");
    a->grad[0] = 3, a->grad[1] = -4;
    CHECK_NUMBER("norm of a", tensor_grad_norm(a), 5, 1e-7);
    for (size_t i = 0; i < LONG; i++) b->grad[i] = i % 2 ? 2 : -2;
    CHECK_NUMBER("norm of b", tensor_grad_norm(b), 141.4213562, 1e-7);
    CHECK_NUMBER("norm of both", params_grad_norm(&params), 141.5097170, 1e-7,
                 {"the norms are added instead of their squares", &(double){146.4213562}});
    params_zero_grad(&params);
    CHECK(params_grad_norm(&params) == 0, "the norm is %g after params_zero_grad", params_grad_norm(&params));
    params_free(&params);
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
    expect_exit(EXIT_INPUT, "parameter 'wte.weight' is registered twice", add_twice, NULL);
    expect_exit(EXIT_INPUT, "does not fit in memory", add_too_large, NULL);
}

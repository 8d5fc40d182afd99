/* What must stay as it was: see given_stack.h. */
#include "02-pre-ln-vs-post-ln/problems/given_stack.h"

#include <string.h>

#include "error.h"
#include "params.h"

GivenStack given_stack(const Params *params, const Stack *s) {
    GivenStack given = {.stack = *s, .n_params = params_count(params)};
    memcpy(given.residuals, s->residuals, sizeof given.residuals);
    return given;
}

static bool same_layer(Layer a, Layer b) {
    return a.forward == b.forward && a.self == b.self;
}

void expect_given(const GivenStack *given, const Params *params, const Stack *s, size_t more_percent) {
    if (memcmp(&given->stack, s, sizeof *s) != 0)
        die("the stack's config, norms or head are others than given");
    for (size_t l = 0; l < PROBLEM_DEPTH; l++) {
        const Residual *was = &given->residuals[l], *is = &s->residuals[l];
        if (is->placement != was->placement || !same_layer(is->norm, was->norm) ||
            !same_layer(is->sublayer, was->sublayer)) {
            die("layer %zu has another placement, norm or sublayer than given", l);
        }
    }
    size_t n = params_count(params), most = given->n_params + given->n_params * more_percent / 100;
    if (n > most) die("%zu parameters, expected at most %zu", n, most);
}

/* Tests of the stacks that this chapter's experiments compare. */
#include "05-residual-blocks/experiments/schemes.h"

#include <math.h>
#include <string.h>

#include "check/check.h"

enum { DEPTH = 12, WIDTH = 16, INPUTS = 4, N = INPUTS * WIDTH };

static Tensor *output(Tape *t, const Network *n) {
    return stack(t, &n->stack,
                 tape_input(t, 2, (size_t[]){INPUTS, WIDTH}, normal_floats(N, 1, 3)));
}

static Network network(size_t scheme) {
    return network_create(&schemes[scheme], WIDTH, 2 * WIDTH, 7, DEPTH);
}

/* Behind a norm each branch brings about 1, so omega grows about as the root of 1 +
 * l. */
Test(schemes, admin_measures_its_branches, .timeout = 10) {
    Network n = network(ADMIN);
    for (size_t l = 0; l < DEPTH; l++) {
        double omega = (double)n.joins[l].omega->data[0], root = sqrt(1 + (double)l);
        CHECK(omega > 0.6 * root && omega < 1.6 * root,
              "omega of layer %zu is %g, expected about %g", l + 1, omega, root);
        CHECK(n.joins[l].branch_size == NULL, "layer %zu still measures", l + 1);
    }
    CHECK_NUMBER("omega of the first layer", n.joins[0].omega->data[0], 1, 0);
    network_free(&n);
}

/* Folded, all layers but the first are plain post-LN. */
Test(schemes, admin_folds_into_post_ln, .timeout = 10) {
    Network n = network(ADMIN);
    Tape t = tape_for_inference();
    double expected[N];
    const Tensor *before = output(&t, &n);
    for (size_t i = 0; i < N; i++) expected[i] = (double)before->data[i];
    for (size_t l = 1; l < DEPTH; l++) {
        LayerNorm *norm = &n.stack.norms[l - 1];
        admin_fold(&n.joins[l], norm->gain, norm->bias, n.stack.mlps[l].up.weight);
        n.stack.residuals[l].join = join_add();
    }
    CHECK_CLOSE("post-LN with omega folded in", output(&t, &n)->data, expected, N,
                1e-5);
    tape_free(&t);
    network_free(&n);
}

/* ReZero, SkipInit and Fixup start as the identity. */
Test(schemes, start_as_the_identity, .timeout = 10) {
    const size_t identities[] = {REZERO, SKIPINIT, FIXUP};
    const float *x = normal_floats(N, 1, 3);
    for (size_t i = 0; i < sizeof identities / sizeof *identities; i++) {
        Network n = network(identities[i]);
        Tape t = tape_for_inference();
        CHECK(memcmp(output(&t, &n)->data, x, N * sizeof *x) == 0,
              "%s does not pass x on unchanged", schemes[identities[i]].name);
        tape_free(&t);
        network_free(&n);
    }
}

/* Fixup divides the first matrix of each branch by the root of the depth. */
Test(schemes, fixup_scales_the_first_matrix, .timeout = 10) {
    Network plain = network(PLAIN), fixup = network(FIXUP);
    for (size_t l = 0; l < DEPTH; l++) {
        const float *w = plain.stack.mlps[l].up.weight->data,
                    *scaled = fixup.stack.mlps[l].up.weight->data;
        CHECK_NUMBER("a weight of Fixup", scaled[l], (double)w[l] / sqrt(DEPTH), 1e-6);
    }
    network_free(&plain);
    network_free(&fixup);
}

/* Tests of exercise 08/repair: blocks with each fault and many weights, with two
 * faults, and with none. */
#include "08-transformer-block/repair.h"

#include <stdio.h>
#include <string.h>

#include "check/check.h"

enum { SEEDS = 12 };

/* Signs of each fault in the gradients: shown when another fault is found. */
static const char *const signs[N_FAULTS] = {
    [WIRED_RIGHT] =
        "dy arrives at x (through is near 1), mlp_bias is out, and attn_bias is not",
    [NO_FIRST_SUM] = "dy does not arrive at x, and attn_bias is above out: the norm "
                     "behind it makes it larger",
    [NO_SECOND_SUM] = "dy does not arrive at x, and attn_bias is below out: it comes "
                      "through the FFN alone",
    [PARALLEL] = "attn_bias and mlp_bias are both out: neither branch reads what the "
                 "other wrote",
    [FFN_FIRST] = "attn_bias is out and mlp_bias is not: attention joins last",
    [ONE_NORM] = "ln_2 has no gradient: nobody uses it",
    [CUT_OFF] = "attn and attn_bias have no gradient, though y depends on them",
};

static void check_found(Fault expected) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        FaultyBlock *b = faulty_block_create(seed, &expected, expected != WIRED_RIGHT);
        BlockGradients g = faulty_block_gradients(b);
        Fault found = find_fault(&g);
        CHECK(found < N_FAULTS, "seed %d: find_fault gives %d, which is no fault",
              (int)seed, (int)found);
        CHECK(found == expected,
              "seed %d: found '%s', expected '%s': %s (attn_bias / out %.3f, through "
              "%.2f)",
              (int)seed, fault_name(found), fault_name(expected), signs[expected],
              g.attn_bias / g.out, g.through);
        faulty_block_free(b);
    }
}

Test(repair, finds_nothing_in_a_right_block, .timeout = 10) {
    check_found(WIRED_RIGHT);
}

Test(repair, finds_a_missing_first_sum, .timeout = 10) {
    check_found(NO_FIRST_SUM);
}

Test(repair, finds_a_missing_second_sum, .timeout = 10) {
    check_found(NO_SECOND_SUM);
}

Test(repair, finds_parallel_branches, .timeout = 10) {
    check_found(PARALLEL);
}

Test(repair, finds_the_ffn_in_front, .timeout = 10) {
    check_found(FFN_FIRST);
}

Test(repair, finds_one_norm_for_both, .timeout = 10) {
    check_found(ONE_NORM);
}

Test(repair, finds_a_branch_that_is_cut_off, .timeout = 10) {
    check_found(CUT_OFF);
}

/* Gradients grow and shrink with the loss; what they say does not. */
Test(repair, finds_the_same_at_any_scale, .timeout = 10) {
    for (Fault fault = WIRED_RIGHT; fault < N_FAULTS; fault++) {
        FaultyBlock *b = faulty_block_create(5, &fault, fault != WIRED_RIGHT);
        BlockGradients g = faulty_block_gradients(b);
        Fault plainly = find_fault(&g);
        CHECK(plainly == fault,
              "found '%s', expected '%s': at any scale, and as they are",
              fault_name(plainly), fault_name(fault));
        double *norms[] = {&g.out,  &g.ln_1, &g.attn,    &g.attn_bias,
                           &g.ln_2, &g.mlp,  &g.mlp_bias};
        for (size_t i = 0; i < sizeof norms / sizeof *norms; i++) *norms[i] *= 1e-6;
        Fault found = find_fault(&g);
        CHECK(found == fault,
              "all norms times 1e-6: found %d, expected %d ('%s'): compare gradients "
              "with each other, not with "
              "a fixed number",
              (int)found, (int)fault, fault_name(fault));
        faulty_block_free(b);
    }
}

/* Whether find_fault knows each fault where it is the only one: what repair does wrong
 * is its own then. */
static bool finds_all(void) {
    bool all = true;
    for (Fault fault = WIRED_RIGHT; fault < N_FAULTS; fault++) {
        FaultyBlock *b = faulty_block_create(5, &fault, fault != WIRED_RIGHT);
        BlockGradients g = faulty_block_gradients(b);
        all &= find_fault(&g) == fault;
        faulty_block_free(b);
    }
    return all;
}

/* After repair, the block gives what block_forward gives, and every parameter gets a
 * gradient. */
static void check_repaired(FaultyBlock *b, size_t n_faults, const char *what) {
    size_t turned = repair(b);
    for (Fault f = WIRED_RIGHT + 1; f < N_FAULTS; f++)
        CHECK(!b->wrong[f], "%s: wire '%s' is wrong after repair (%zu turned)%s", what,
              fault_name(f), turned,
              !finds_all()        ? ": find_fault does not find each fault alone"
              : turned < n_faults ? ": measure again after each"
                                  : ": is it measured again after each, and does a "
                                    "wire stay as it was turned?");
    CHECK(turned == n_faults, "%s: repair says that it turned %zu wires, expected %zu",
          what, turned, n_faults);
    enum { ROWS = 6, DIM = 16 };
    float *values = normal_floats(ROWS * DIM, 1, 3);
    Tape t = tape_for_inference();
    Tensor *x = tape_input(&t, 3, (size_t[]){1, ROWS, DIM}, values);
    const Tensor *right =
        block_forward(&t, &b->block, attention_layer(&b->block.attn), x);
    CHECK_CLOSE(what, faulty_block_forward(&t, b, x)->data,
                as_double(right->data, ROWS * DIM), ROWS * DIM, 1e-6);
    tape_free(&t);
}

Test(repair, mends_one_fault, .timeout = 10) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        for (Fault f = WIRED_RIGHT + 1; f < N_FAULTS; f++) {
            FaultyBlock *b = faulty_block_create(seed, &f, 1);
            check_repaired(b, 1, fault_name(f));
            faulty_block_free(b);
        }
    }
}

Test(repair, mends_two_faults, .timeout = 10) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        for (Fault f = WIRED_RIGHT + 1; f < N_FAULTS; f++) {
            if (f == ONE_NORM) continue;
            FaultyBlock *b = faulty_block_create(seed, (Fault[]){ONE_NORM, f}, 2);
            char what[60];
            snprintf(what, sizeof what, "one norm and %s", fault_name(f));
            check_repaired(b, 2, what);
            faulty_block_free(b);
        }
    }
}

Test(repair, leaves_a_right_block_alone, .timeout = 10) {
    FaultyBlock *b = faulty_block_create(1, NULL, 0);
    check_repaired(b, 0, "a right block");
    faulty_block_free(b);
}

/* An FFN of zeros gives ln_2 no gradient, however the wires run. */
Test(repair, gives_up, .timeout = 10) {
    FaultyBlock *b = faulty_block_create(1, NULL, 0);
    Tensor *weight = params_find(&b->params, "h.0.mlp.c_fc.weight");
    floats_zero(weight->data, tensor_size(weight));
    size_t turned = repair(b), wrong = 0;
    for (Fault f = WIRED_RIGHT + 1; f < N_FAULTS; f++) wrong += b->wrong[f];
    CHECK(turned == N_FAULTS,
          "a block that no wire mends: repair says that it turned %zu wires, expected "
          "N_FAULTS",
          turned);
    CHECK(wrong % 2 == 1,
          "a block that no wire mends: %zu wires are wrong after N_FAULTS = 7 turns, "
          "which no 7 give: "
          "turn a wire N_FAULTS times, then give up",
          wrong);
    faulty_block_free(b);
}

/* No test of outputs can see this one. */
Test(repair, cut_off_shows_in_gradients_only, .timeout = 10) {
    FaultyBlock *b = faulty_block_create(2, NULL, 0);
    Tape t = tape_for_inference();
    Tensor *x = tape_input(&t, 3, (size_t[]){1, 6, 16}, normal_floats(96, 1, 3));
    double *right = as_double(faulty_block_forward(&t, b, x)->data, 96);
    faulty_block_rewire(b, CUT_OFF);
    CHECK_CLOSE("y with attention cut off", faulty_block_forward(&t, b, x)->data, right,
                96, 1e-9);
    BlockGradients g = faulty_block_gradients(b);
    CHECK(find_fault(&g) == CUT_OFF,
          "y is right and attention learns nothing: only its gradients, 0, show it");
    tape_free(&t);
    faulty_block_free(b);
}

/* An attack on 08/repair: each fault alone, at two sizes of the loss, then beside a
 * wrong norm; and no fault at all. */
#include "08-transformer-block/repair.h"

#include "check/check.h"

static void check_patient(uint64_t seed, const Fault *faults, size_t n) {
    Patient *p = patient_create(seed, faults, n);
    size_t turned = repair(p);
    CHECK(turned == n, "it turned %zu wires, expected %zu", turned, n);
    for (Fault f = WIRED_RIGHT + 1; f < N_FAULTS; f++)
        CHECK(!p->wrong[f], "still: %s", fault_name(f));
    patient_free(p);
}

static void check_fault(uint64_t seed, Fault fault) {
    Patient *p = patient_create(seed, &fault, fault != WIRED_RIGHT);
    for (int small = 0; small < 2; small++) {
        BlockGradients g = patient_gradients(p);
        double *norms[] = {&g.out,  &g.ln_1, &g.attn,    &g.attn_bias,
                           &g.ln_2, &g.mlp,  &g.mlp_bias};
        for (size_t i = 0; i < sizeof norms / sizeof *norms; i++)
            *norms[i] *= small ? 1e-6 : 1;
        CHECK(find_fault(&g) == fault, "expected: %s", fault_name(fault));
    }
    patient_free(p);
}

Test(attack, faults) {
    for (uint64_t seed = 1; seed < 9; seed++) {
        check_patient(seed, NULL, 0);
        for (Fault f = WIRED_RIGHT; f < N_FAULTS; f++) {
            check_fault(seed, f);
            if (f == WIRED_RIGHT) continue;
            check_patient(seed, &f, 1);
            if (f != ONE_NORM) check_patient(seed, (Fault[]){ONE_NORM, f}, 2);
        }
    }
}

/* Your attack on 08/repair: tests that right code passes and wrong code does not. The
 * contract is in chapters/08-transformer-block/repair.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-08 EX=repair */
#include "08-transformer-block/repair.h"

#include "check/check.h"

Test(attack, one_fault) {
    ATTACK_TODO("08/repair");
    Patient *p = patient_create(1, (Fault[]){PARALLEL}, 1);
    repair(p);
    /* How many wires did it turn? Which p->wrong[...] are left? */
    patient_free(p);
}

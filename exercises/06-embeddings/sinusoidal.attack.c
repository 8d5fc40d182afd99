/* Your attack on 06/sinusoidal: tests that right code passes and wrong code does not.
 * The contract is in chapters/06-embeddings/sinusoidal.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-06 EX=sinusoidal */
#include "06-embeddings/sinusoidal.h"

#include "check/check.h"

Test(attack, two_positions) {
    ATTACK_TODO("06/sinusoidal");
    float out[4];
    sinusoidal_table(out, 2, 2);
    sinusoidal_move(out, 1, 2, 1);
    /* sin 0, cos 0, sin 1, cos 1; then row 0 is as row 1. Which sizes tell more? */
}

/* Your attack on 14/rbe_fit: tests that right code passes and wrong code does not. The
 * contract is in chapters/14-compression/rbe_fit.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-14 EX=rbe_fit */
#include "14-compression/rbe_fit.h"

#include "check/check.h"

Test(attack, twos) {
    ATTACK_TODO("14/rbe_fit");
    static double phi[RBE_FUNCTIONS][TILE_SIZE];
    float *x = equal_floats(TILE_SIZE, 2), alpha[RBE_FUNCTIONS];
    rbe_basis(phi);
    rbe_fit(alpha, x, phi);
    /* alpha should be 2 and zeros. What holds of the rest that a fit leaves of any
     * block? */
}

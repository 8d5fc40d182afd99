/* Your attack on 12/top_p: tests that right code passes and wrong code does not. The
 * contract is in chapters/12-generation/top_p.h, the checks of numbers in
 * tests/support/check/check.h. Run it: make attack-12 EX=top_p */
#include "12-generation/top_p.h"

#include <math.h>

#include "check/check.h"

Test(attack, half) {
    ATTACK_TODO("12/top_p");
    double probabilities[2] = {0.25, 0.75};
    TokenProbability scratch[2];
    top_p(probabilities, scratch, 2, 0.5);
    /* 0 and 1 should be left. Which probabilities, and which p, tell more? */
}

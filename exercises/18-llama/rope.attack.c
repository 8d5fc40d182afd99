/* Your attack on 18/rope: tests that right code passes and wrong code does not. The
 * contract is in chapters/18-llama/rope.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-18 EX=rope */
#include "18-llama/rope.h"

#include "check/check.h"

Test(attack, position_0) {
    ATTACK_TODO("18/rope");
    float frequency = 1, qkv[6] = {1, 2, 3, 4, 5, 6}, out[6];
    RopeShape shape = {1, 1, 1, 2, (int[]){0}, &frequency};
    rope_forward(out, qkv, &shape);
    /* At position 0 nothing turns, whatever the pairs are. What shows them? */
}

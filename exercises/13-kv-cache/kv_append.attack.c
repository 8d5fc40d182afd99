/* Your attack on 13/kv_append: tests that right code passes and wrong code does not.
 * The contract is in chapters/13-kv-cache/kv_append.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-13 EX=kv_append */
#include "13-kv-cache/kv_append.h"

#include "check/check.h"

Test(attack, one_token) {
    ATTACK_TODO("13/kv_append");
    float cache[4] = {0}, fresh[2] = {1, 2};
    kv_append(cache, fresh, 1, 2, 1, 2, 2, 0);
    /* 1 2 0 0 should be in the cache. Which sizes tell more? */
}

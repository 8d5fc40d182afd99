/* Your attack on 13/attention_step: tests that right code passes and wrong code does
 * not. The contract is in chapters/13-kv-cache/attention_step.h, what compares numbers
 * in tests/support/check/check.h. Run it: make attack-13 EX=attention_step */
#include "13-kv-cache/attention_step.h"

#include "check/check.h"

Test(attack, one_token) {
    ATTACK_TODO("13/attention_step");
    float q = 1, key = 2, value = 3, out = 0, scratch;
    attention_step(&out, &scratch, &q, &key, &value, 1, 1, 1, 1);
    /* One token sees itself alone: out is its value. What do two tokens show? */
}

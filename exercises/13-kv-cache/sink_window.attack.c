/* Your attack on 13/sink_window: tests that right code passes and wrong code does not.
 * The contract is in chapters/13-kv-cache/sink_window.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-13 EX=sink_window */
#include "13-kv-cache/sink_window.h"

#include "check/check.h"

Test(attack, slots) {
    ATTACK_TODO("13/sink_window");
    sink_slot(0, 1, 2);
    /* Position 0 goes to slot 0. And the others? CHECK(condition, "...", ...) takes any
     * condition. */
}

/* Heavy hitters and a window (Zhang et al. 2023, H2O). Before you read on: make hint-13
 * P=evict */
#include "13-kv-cache/problems/evict.h"

/* A token that was looked at will be looked at again. The newest tokens have had no
 * time to be, so they are safe. A plain sum favours the old, which have collected a
 * little from each token that came: it must fade. */
size_t evict(Slot *slots, size_t n) {
    enum { SAFE = 8 };
    size_t least = n;
    for (size_t s = 0; s < n; s++) {
        slots[s].yours = 0.98f * slots[s].yours + slots[s].attention;
        if (slots[s].age >= SAFE && (least == n || slots[s].yours < slots[least].yours))
            least = s;
    }
    return least < n ? least : 0;
}

/* Open problem 13/evict. The rules are in chapters/13-kv-cache/problems/evict.h. */
#include "13-kv-cache/problems/evict.h"

#include "program/problem.h"

/* A window: the oldest. */
size_t evict(Slot *slots, size_t n) {
    PROBLEM_TODO("13/evict");
    size_t oldest = 0;
    for (size_t s = 1; s < n; s++)
        oldest = slots[s].age > slots[oldest].age ? s : oldest;
    return oldest;
}

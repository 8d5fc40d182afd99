/* Tests of the counts of pairs: when they are queued. */
#include "09-tokenizer/pairs.h"

#include "check/check.h"

static PairCounts grown_three_times(bool queues_later) {
    PairCounts p = {.queues_later = queues_later};
    for (size_t word = 0; word < 3; word++) pair_counts_add(&p, 'a', 'b', 5, word);
    pair_counts_add(&p, 'c', 'd', 7, 0);
    pair_counts_add(&p, 'a', 'b', -1, 1);
    return p;
}

static void expect_first(PairCounts *p, int left, int64_t count) {
    HeapItem first = heap_pop(&p->queue);
    CHECK(pair_of_item(first).left == left && count_of_item(first) == count,
          "the first pair begins with %d and has %lld, expected %d and %lld",
          pair_of_item(first).left, (long long)count_of_item(first), left,
          (long long)count);
}

Test(pairs, queued_whenever_they_grow, .timeout = 10) {
    PairCounts p = grown_three_times(false);
    CHECK(p.queue.n == 4, "%zu in the queue, expected 4", p.queue.n);
    expect_first(&p, 'a', 15); /* has fallen since */
    pair_counts_free(&p);
}

/* Once each, with the count that they have then, and again when they grow again. */
Test(pairs, queued_later_once, .timeout = 10) {
    PairCounts p = grown_three_times(true);
    CHECK(p.queue.n == 0, "%zu in the queue, expected none yet", p.queue.n);
    pair_counts_queue_grown(&p);
    pair_counts_queue_grown(&p);
    CHECK(p.queue.n == 2, "%zu in the queue, expected 2", p.queue.n);
    expect_first(&p, 'a', 14);
    expect_first(&p, 'c', 7);
    pair_counts_add(&p, 'c', 'd', 1, 0);
    pair_counts_queue_grown(&p);
    expect_first(&p, 'c', 8);
    pair_counts_free(&p);
}

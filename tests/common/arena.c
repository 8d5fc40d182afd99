/* Tests of common/arena: alignment, memory that is reused, marks. */
#include "tensor/arena.h"

#include <stdint.h>
#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"

Test(arena, memory_is_aligned_and_apart, .timeout = 10) {
    Arena a = {0};
    unsigned char *parts[100];
    for (size_t i = 0; i < 100; i++) {
        parts[i] = arena_alloc(&a, i, 3);
        CHECK((uintptr_t)parts[i] % 64 == 0, "part %zu is not aligned to 64 bytes", i);
        memset(parts[i], (int)i, 3 * i);
    }
    for (size_t i = 0; i < 100; i++) {
        for (size_t j = 0; j < 3 * i; j++)
            CHECK(parts[i][j] == i, "part %zu was written over at byte %zu", i, j);
    }
    arena_free(&a);
    CHECK(!a.block && a.total == 0, "something is left after arena_free");
}

/* A step that needs several blocks. */
static void step(Arena *a, size_t parts) {
    for (size_t i = 0; i < parts; i++)
        memset(arena_alloc(a, 300000, sizeof(float)), 1, 300000 * sizeof(float));
}

Test(arena, does_not_grow_after_the_first_step, .timeout = 10) {
    Arena a = {0};
    step(&a, 7);
    size_t total = a.total;
    CHECK(a.grown > 1, "the step was meant to need more than one block");
    CHECK(total >= 7 * 300000 * sizeof(float), "total is %zu bytes", total);
    arena_reset(&a);
    CHECK(a.total == 0, "%zu bytes are in use after a reset", a.total);
    size_t grown = a.grown;
    for (int i = 0; i < 10; i++) {
        step(&a, 7);
        CHECK(a.total == total, "the same step takes %zu bytes, then %zu", total,
              a.total);
        arena_reset(&a);
    }
    CHECK(a.grown == grown, "malloc was called %zu times after the first step",
          a.grown - grown);
    CHECK(a.peak == total, "the peak is %zu, expected %zu", a.peak, total);
    arena_free(&a);
}

Test(arena, larger_step_grows_once_more, .timeout = 10) {
    Arena a = {0};
    step(&a, 3);
    arena_reset(&a);
    step(&a, 12);
    arena_reset(&a);
    size_t grown = a.grown;
    step(&a, 12);
    CHECK(a.grown == grown, "the arena has forgotten its peak");
    arena_free(&a);
}

Test(arena, release_goes_back_to_the_mark, .timeout = 10) {
    Arena a = {0};
    float *kept = arena_alloc(&a, 10, sizeof *kept);
    for (size_t i = 0; i < 10; i++) kept[i] = (float)i;
    ArenaMark mark = arena_mark(&a);
    float *first = arena_alloc(&a, 100, sizeof *first);
    arena_release(&a, mark);
    float *second = arena_alloc(&a, 100, sizeof *second);
    CHECK(first == second, "the memory behind the mark is not handed out again");
    memset(second, 0, 100 * sizeof *second);
    for (size_t i = 0; i < 10; i++)
        CHECK(kept[i] == (float)i, "release gave back memory from before the mark");
    arena_free(&a);
}

/* The arena grows between mark and release: what was taken before stays. */
Test(arena, release_after_growing, .timeout = 10) {
    Arena a = {0};
    float *kept = arena_alloc(&a, 10, sizeof *kept);
    kept[9] = 9;
    ArenaMark mark = arena_mark(&a);
    size_t total = a.total;
    step(&a, 5);
    arena_release(&a, mark);
    CHECK(a.total == total, "%zu bytes in use after the release, expected %zu", a.total,
          total);
    step(&a, 5);
    CHECK(kept[9] == 9, "release gave back memory from before the mark");
    arena_reset(&a);
    size_t grown = a.grown;
    step(&a, 5);
    CHECK(a.grown == grown, "the arena grows although it has held as much before");
    arena_free(&a);
}

static void ask_for_too_much(void *unused) {
    (void)unused;
    Arena a = {0};
    arena_alloc(&a, SIZE_MAX / 2, 8);
}

Test(arena, refuses_a_size_that_overflows, .timeout = 10) {
    expect_exit(EXIT_INPUT, "does not fit in memory", ask_for_too_much, NULL);
}

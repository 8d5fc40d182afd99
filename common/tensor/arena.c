/* An arena: see arena.h. */
#include "tensor/arena.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

enum { ALIGNMENT = 64, FIRST_BLOCK = 1 << 20 };

struct ArenaBlock {
    ArenaBlock *older;
    size_t capacity;
    char *memory;
};

static ArenaBlock *block_new(size_t capacity, ArenaBlock *older) {
    ArenaBlock *block = checked_alloc(1, sizeof *block);
    block->older = older;
    block->capacity = capacity;
    block->memory = checked_aligned_alloc(capacity, 1);
    return block;
}

static ArenaBlock *free_block(ArenaBlock *block) {
    ArenaBlock *older = block->older;
    free(block->memory);
    free(block);
    return older;
}

void *arena_alloc(Arena *arena, size_t count, size_t size) {
    size_t bytes = size_mul(count, size);
    if (bytes > SIZE_MAX / 4)
        die("a size of %zu x %zu does not fit in memory", count, size);
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!arena->block || arena->block->capacity - arena->used < bytes) {
        size_t capacity = arena->block ? 2 * arena->block->capacity : FIRST_BLOCK;
        while (capacity < bytes) capacity *= 2;
        arena->block = block_new(capacity, arena->block);
        arena->used = 0;
        arena->grown++;
    }
    void *memory = arena->block->memory + arena->used;
    arena->used += bytes;
    arena->total += bytes;
    if (arena->total > arena->peak) arena->peak = arena->total;
    return memory;
}

void arena_reset(Arena *arena) {
    if (arena->block && arena->block->older) {
        while (arena->block) arena->block = free_block(arena->block);
        size_t capacity = (arena->peak + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        arena->block = block_new(capacity, NULL);
        arena->grown++;
    }
    arena->used = 0;
    arena->total = 0;
}

ArenaMark arena_mark(const Arena *arena) {
    return (ArenaMark){arena->block, arena->used, arena->total};
}

void arena_release(Arena *arena, ArenaMark mark) {
    /* If the arena has grown since, all of its newest block is younger than the mark;
     * the blocks between stay unused until the next arena_reset joins them. */
    arena->used = arena->block == mark.block ? mark.used : 0;
    arena->total = mark.total;
}

void arena_free(Arena *arena) {
    while (arena->block) arena->block = free_block(arena->block);
    *arena = (Arena){0};
}

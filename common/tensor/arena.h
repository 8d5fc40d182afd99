/* An arena: memory handed out by moving a pointer, given back all at once.
 *
 * A training step asks for thousands of activations and drops them together at its end.
 * The arena grows during the first step and is then reused, so that later steps call
 * malloc not once. */
#ifndef TENSOR_ARENA_H
#define TENSOR_ARENA_H

#include <stddef.h>

typedef struct ArenaBlock ArenaBlock;

typedef struct {
    ArenaBlock *block; /* the newest block; older ones hang behind it until arena_reset
                          joins them */
    size_t used;       /* bytes used of the newest block */
    size_t total;      /* bytes in use in all blocks */
    size_t peak;       /* the largest `total` so far */
    size_t grown;      /* how often malloc was called */
} Arena;

/* A place to go back to with arena_release. */
typedef struct {
    ArenaBlock *block;
    size_t used, total;
} ArenaMark;

/* Memory for `count` things of `size` bytes, not cleared,
 * aligned to 64 bytes (a cache line, an AVX-512 vector). */
void *arena_alloc(Arena *arena, size_t count, size_t size);

/* Gives back everything; the memory stays with the arena, as one block that is large
 * enough for the peak. */
void arena_reset(Arena *arena);

/* Gives back the memory taken since the mark. */
ArenaMark arena_mark(const Arena *arena);
void arena_release(Arena *arena, ArenaMark mark);

void arena_free(Arena *arena);

#endif

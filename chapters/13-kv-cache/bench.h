/* Time and memory with and without the cache: the time of a token against its
 * position. */
#ifndef CHAPTER_13_BENCH_H
#define CHAPTER_13_BENCH_H

#include "10-gpt2/gpt2.h"

/* Times one token at `n_positions` places, at equal ratios from 1 to the model's
 * context (1024 of a longer one), with the cache and without; prints a table, and the
 * time for all of them as the trapezoid rule gives it. Writes OUT/NAME.csv and
 * OUT/NAME-total.csv. Claims that the logits are the same, and that the cache makes the
 * whole at least `least_ratio` times faster (0: no claim). */
void bench_cache(const Gpt2 *model, size_t n_positions, const char *out,
                 const char *name, double least_ratio);

/* Bytes of a cache of so many tokens: keys and values, 2 * n_layer * tokens * n_kv_head
 * * head_dim * 4 bytes. */
size_t formula_bytes(const Gpt2Config *config, size_t tokens);

#endif

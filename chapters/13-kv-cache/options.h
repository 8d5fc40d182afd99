/* The options of a model that writes with the KV cache, and the command write: this
 * chapter's program has them, and so has every later one. */
#ifndef CHAPTER_13_OPTIONS_H
#define CHAPTER_13_OPTIONS_H

#include "12-generation/options.h"

typedef struct {
    bool no_cache, batch, bench, grade;
    size_t window, n_sink, bench_positions, draw_block;
    const char *draw; /* a picture of the prompt is written there, and no text */
    bool tells_bytes; /* on stderr, what the cache took; main says so */
} Caching;

/* As the command line says. */
extern Caching caching;
extern const Option cache_options[];

/* Ends the program where they do not fit together; before the model is read. */
void caching_check(const Settings *settings);

/* Writes, or times, what all options ask for. */
void write_with_cache(const TextModel *m, const Settings *settings);

/* Reads the model that the options name and does that with it. */
void write_as_told(const Settings *settings);
extern Command write_command;

#endif

/* Readers and what may be thrown at them.
 *
 *     FUZZ_TARGET(ids) {
 *         free(ids_parse("ids", fuzz_text(data, size), 10, &(size_t){0}));
 *     }
 *
 * defines what tests/fuzz/ids.c does with `size` bytes at `data` that may be anything.
 * It may come back, or end by one clear line and exit code 1; nothing else. `make test`
 * gives it the files of tests/fuzz/ids/, one child process each: of a file "good-..."
 * the target must come back, of a "bad-..." it must not. `make fuzz` compiles the same
 * target with LIBFUZZER and lets libFuzzer make up files
 * (tests/harness/fuzz_harness.c). */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>

#ifdef LIBFUZZER
#define FUZZ_TARGET(name) void fuzz_target(const char *data, size_t size)
void fuzz_target(const char *data, size_t size);
#else
#include <criterion/criterion.h>
#define FUZZ_TARGET(name)                                                              \
    static void fuzz_target(const char *data, size_t size);                            \
    Test(fuzz, name, .timeout = 120) {                                                 \
        fuzz_replay(#name, fuzz_target);                                               \
    }                                                                                  \
    static void fuzz_target(const char *data, size_t size)
#endif

/* Gives each file of tests/fuzz/NAME/ to the target. */
void fuzz_replay(const char *name, void (*target)(const char *data, size_t size));

/* The path of a file in a temporary directory of this process; fuzz_write fills it
 * first. The directory itself is fuzz_path("."). */
const char *fuzz_path(const char *name);
const char *fuzz_write(const char *name, const void *data, size_t size);

/* The bytes with a NUL behind them, in new memory; up to their first NUL they are a
 * string. */
char *fuzz_text(const char *data, size_t size);

/* A damaged copy of a good file, in new memory: data holds edits of three bytes, a
 * place (two bytes) and what stands there now. The place 65535 cuts the file at that
 * 256th part. */
char *fuzz_damaged(const char *good, size_t *good_size, const char *data, size_t size);

/* The path of the file NAME, now a damaged copy of what make_good, which is called
 * once, has written there. */
const char *fuzz_damage(const char *name, void (*make_good)(void), const char *data,
                        size_t size);

#endif

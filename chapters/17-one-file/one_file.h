/* Runs the one-file program on a model, and the course's own GPT-2 (chapter 13's cache)
 * in the same way, so that both can be compared. */
#ifndef CHAPTER_17_ONE_FILE_H
#define CHAPTER_17_ONE_FILE_H

#include "10-gpt2/gpt2.h"

typedef struct {
    const char *directory;
    Gpt2 *model;
} OneFileModel;

/* The model of a directory; NULL: one with random weights of this seed, which is
 * written to build/one-file/random. */
OneFileModel one_file_model(const char *directory, uint64_t seed);
/* A random one of this width, written to build/one-file/random-WIDTH. */
OneFileModel one_file_random(size_t d_model, uint64_t seed);
void one_file_model_free(OneFileModel *m);

typedef struct {
    int *ids; /* [n] of prompt and text */
    size_t n, rows;
    float *logits;  /* [rows, n_vocab], of the positions that were read: all, or all
                       but the last */
    double seconds; /* for a token behind the prompt, the least of three runs; 0: there
                       is none */
} OneFileRun;

/* The program of exercise gpt2, greedy, on prompt [n_prompt] and n_new tokens or to the
 * end of the context. Ends this program where the other fails. */
OneFileRun one_file_run(const OneFileModel *m, const int *prompt, size_t n_prompt,
                        size_t n_new);

/* The rows of a file of logits that the program `source` has written beside n_ids ids.
 * Ends this program where they are not n_ids or one less: the last id need not be
 * read, and behind n_ctx positions it cannot. */
size_t logits_rows(const char *source, size_t bytes, const Gpt2Config *config,
                   size_t n_ids);
/* The same by kv_cache_logits. */
OneFileRun one_file_reference(const Gpt2 *model, const int *prompt, size_t n_prompt,
                              size_t n_new);
void one_file_run_free(OneFileRun *run);

/* The standard output of the program words[0], with words [.., NULL], of which there
 * are two or more. Ends this program if the other fails. The caller frees it; *seconds:
 * from its start to its end. */
char *program_output(char *const words[], double *seconds);

#endif

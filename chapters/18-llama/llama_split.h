/* The parameters of LLaMA's family as files have them: q, k and v apart, and matrices
 * with a row for each output. */
#ifndef CHAPTER_18_LLAMA_SPLIT_H
#define CHAPTER_18_LLAMA_SPLIT_H

#include "07-attention/attention.h"
#include "18-llama/llama_names.h"
#include "weights/params.h"

/* A tensor of a file: a matrix [rows, cols] as it is stored, or a vector as one row. */
typedef struct {
    char name[LLAMA_NAME];
    int ndim;
    Weight weight; /* not transposed */
} Piece;

/* Memory that must stay until the file is written. */
typedef struct {
    void **blocks;
    size_t n;
} Kept;

void *kept_alloc(Kept *kept, size_t bytes);
void kept_free(Kept *kept);

/* The parameter's pieces, one to three; returns how many. With `permute` the rows of q
 * and k come in GGUF's order (18/permute_rope). What is put in another order is `kept`;
 * the rest is where the parameter has it. */
size_t llama_split(Piece out[LLAMA_MOST_PARTS], Kept *kept, const Param *param,
                   const AttentionConfig *attention, LlamaNames format, bool permute);

#endif

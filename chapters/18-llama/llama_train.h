/* A training of chapter 11 with a model of LLaMA's family. */
#ifndef CHAPTER_18_LLAMA_TRAIN_H
#define CHAPTER_18_LLAMA_TRAIN_H

#include "11-training/training_run.h"

/* The sizes that GPT-2 does not have; 0: as many as query heads, and an FFN with as
 * many weights as GPT-2's of two matrices, 8/3 d_model in whole eights. */
typedef struct {
    size_t n_kv_head, d_ff;
    double rope_base;
} LlamaTraining;

/* The defaults, until main has read the options. */
extern LlamaTraining llama_training;

/* The functions that read, write and train models of the family. */
extern const ModelFamily llama_family;

#endif

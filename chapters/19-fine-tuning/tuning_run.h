/* A fine-tuning as a program makes it: with rows of scores, texts before and after, and
 * files at the end. */
#ifndef CHAPTER_19_TUNING_RUN_H
#define CHAPTER_19_TUNING_RUN_H

#include "19-fine-tuning/tuning.h"
#include "program/program.h"

typedef struct {
    TuningSettings tuning;
    const char *from;     /* a directory or GGUF file; NULL: a model that is trained */
    const char *old_text; /* a file, beside --text; NULL: none */
    const char *save;     /* a directory, or a file that ends in .gguf; NULL: none */
    const char *save_adapter; /* directory; NULL: none */
    bool overwrite;           /* what is there */
    size_t score_every;       /* steps */
} TuningRun;

/* Of stories, or of --text; what is written before and after, --prompt says. */
void tuning_run(const TuningRun *run, const Settings *settings);

#endif

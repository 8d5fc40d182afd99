/* Exercise 17/gpt2: GPT-2 in one file. The contract is in chapters/17-one-file/gpt2.h,
 * what goes into each stage and comes out of it in chapters/17-one-file/README.md. All
 * that is here is yours to change; nothing of the course is included. */
#include <stdio.h>
#include <stdlib.h>

#define EXERCISE_TODO(stage)                                                           \
    (fprintf(stderr, "exercise 17/gpt2 is not written yet: %s\n", stage), exit(1))

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    EXERCISE_TODO("stage 1, a directory is opened");
    EXERCISE_TODO("stage 2, text becomes ids");
    EXERCISE_TODO("stage 3, embeddings, the last norm, the tied head");
    EXERCISE_TODO("stage 4, a block, for a single token");
    EXERCISE_TODO("stage 5, attention to the tokens before");
    EXERCISE_TODO("stage 6, all layers, the whole context");
    EXERCISE_TODO("stage 7, the next token is chosen and written");
    return 0;
}

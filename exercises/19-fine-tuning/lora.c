/* Exercise 19/lora. The contract is in chapters/19-fine-tuning/lora.h. */
#include "19-fine-tuning/lora.h"

#include "base/error.h"

void lora_merge(float *w, const float *w0, const float *a, const float *b,
                const LoraShape *shape) {
    EXERCISE_TODO("19/lora");
}

void lora_backward(float *da, float *db, const float *dw, const float *a,
                   const float *b, const LoraShape *shape) {
    EXERCISE_TODO("19/lora");
}

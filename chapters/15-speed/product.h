/* GPT-2 on a product of your choice: in this chapter's program every call of matmul,
 * matmul_bias, matmul_at_b and matmul_a_bt, in all chapters, comes through here. The
 * linker leads it (chapter.mk), so that no other program changes. */
#ifndef CHAPTER_15_PRODUCT_H
#define CHAPTER_15_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

/* Sets the kernel of all products from now on: "common" (common/kernels/matmul.c, as in
 * every other program), "matmul" (the exercise of that name), or the name of a step of
 * the ladder. Ends the program with a usage error for any other. */
void product_choose(const char *name);

/* The names that the linker gives to matmul and its kin where they are called. */
void __wrap_matmul(float *c, const float *a, const float *b, size_t m, size_t n,
                   size_t k, bool accumulate);
void __wrap_matmul_bias(float *c, const float *a, const float *b, const float *bias,
                        size_t m, size_t n, size_t k);
void __wrap_matmul_at_b(float *c, const float *a, const float *b, size_t m, size_t n,
                        size_t k, bool accumulate);
void __wrap_matmul_a_bt(float *c, const float *a, const float *b, size_t m, size_t n,
                        size_t k, bool accumulate);

#endif

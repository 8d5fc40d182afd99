/* OpenBLAS by dlopen: see blas.h. */
#include "15-speed/blas.h"

#ifdef __wasm__ /* a page has no libraries to open */
Product *blas_product(ProductForm form, size_t threads) {
    (void)form;
    (void)threads;
    return NULL;
}
#else
#include <dlfcn.h>
#include <stdlib.h>

#include "kernels/simd.h"

enum { ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112 };

typedef void Sgemm(int, int, int, int, int, int, float, const float *, int,
                   const float *, int, float, float *, int);
static Sgemm *sgemm;
static void (*set_threads)(int);

static void product(float *c, const float *a, const float *b, size_t m, size_t n,
                    size_t k) {
    sgemm(ROW_MAJOR, AS_IT_IS, AS_IT_IS, (int)m, (int)n, (int)k, 1, a, (int)k, b,
          (int)n, 1, c, (int)n);
}
static void product_at_b(float *c, const float *a, const float *b, size_t m, size_t n,
                         size_t k) {
    sgemm(ROW_MAJOR, TRANSPOSED, AS_IT_IS, (int)m, (int)n, (int)k, 1, a, (int)m, b,
          (int)n, 1, c, (int)n);
}
static void product_a_bt(float *c, const float *a, const float *b, size_t m, size_t n,
                         size_t k) {
    sgemm(ROW_MAJOR, AS_IT_IS, TRANSPOSED, (int)m, (int)n, (int)k, 1, a, (int)k, b,
          (int)k, 1, c, (int)n);
}

/* dlsym gives a pointer to data, which C does not turn into one to a function; POSIX
 * says that the bytes fit. */
static void find(void *library, const char *name, void *function) {
    *(void **)function = dlsym(library, name);
}

/* OpenBLAS does not know newer AVX-512 processors by name and takes its AVX2 kernels
 * there unless it is told. */
static void load(void) {
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so",
                                        "libopenblas.dylib"};
    if (SIMD_WIDTH == 16) setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW);
    if (!library) return;
    find(library, "cblas_sgemm", &sgemm);
    find(library, "openblas_set_num_threads", &set_threads);
}

Product *blas_product(ProductForm form, size_t threads) {
    static Product *const products[PRODUCT_FORMS] = {product, product_at_b,
                                                     product_a_bt};
    static bool tried;
    if (!tried) load();
    tried = true;
    if (!sgemm || !set_threads) return NULL;
    set_threads((int)threads);
    return products[form];
}
#endif

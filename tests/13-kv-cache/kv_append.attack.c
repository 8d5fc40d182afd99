/* An attack on 13/kv_append: three tokens, then one, in rows longer than the heads; the
 * whole cache is compared. */
#include "13-kv-cache/kv_append.h"

#include "check/check.h"

enum { H = 3, D = 2, CAPACITY = 7, STRIDE = 11, CACHE = H * CAPACITY * D };

static void check_append(size_t length, size_t n_new) {
    float *fresh = normal_floats((n_new + 1) * STRIDE, 1, 1),
          *cache = normal_floats(CACHE, 1, 2);
    double *right = as_double(cache, CACHE);
    for (size_t i = 0; i < n_new * H * D; i++) {
        size_t token = i / (H * D), h = i / D % H;
        right[(h * CAPACITY + length + token) * D + i % D] =
            (double)fresh[token * STRIDE + h * D + i % D];
    }
    kv_append(cache, fresh, n_new, STRIDE, H, D, CAPACITY, length);
    CHECK_CLOSE("cache", cache, right, CACHE, 1e-6);
}

Test(attack, appends) {
    check_append(0, 3);
    check_append(3, 1);
    check_append(4, 3);
    check_append(2, 0);
}

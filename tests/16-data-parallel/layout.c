/* Tests of layout.c: every number of the block is in one bucket and has one owner, and
 * rows are those of tensor_grad_norm. */
#include "16-data-parallel/layout.h"

#include <math.h>

#include "check/check.h"
#include "kernels/reduce.h"

enum { MATRIX = 3000, VECTOR = 70, LAST = 1024 };

static Params make_params(void) {
    Params params = {.mode = PARAMS_TRAIN};
    params_add(&params, 2, (size_t[]){MATRIX / 10, 10}, "matrix");
    params_add(&params, 1, (size_t[]){VECTOR}, "vector");
    params_add(&params, 1, (size_t[]){LAST}, "last");
    return params;
}

Test(layout, rows_of_each_parameter, .timeout = 10) {
    Params params = make_params();
    Layout l = layout_create(&params, 2, 2000);
    CHECK(l.n_rows == 5, "%zu rows, expected 3 + 1 + 1", l.n_rows);
    CHECK(l.first_row[1] == 3 && l.first_row[2] == 4 && l.first_row[3] == 5,
          "rows of parameters begin at %zu %zu %zu", l.first_row[1], l.first_row[2],
          l.first_row[3]);
    for (size_t i = 0; i < params.n_grads; i++) params.grads[i] = (float)(i % 17) - 8;
    for (size_t i = 0; i < params.n; i++) {
        const Tensor *x = params.items[i].tensor;
        double sum = 0;
        for (size_t row = l.first_row[i]; row < l.first_row[i + 1]; row++) {
            size_t at = l.starts[row] - (size_t)(x->grad - params.grads),
                   left = tensor_size(x) - at;
            sum += (double)row_sum_squares(x->grad + at, 0,
                                           left < LAYOUT_ROW ? left : LAYOUT_ROW);
        }
        CHECK(sqrt(sum) == tensor_grad_norm(x),
              "the rows of %s add up to %.17g, its norm is %.17g", x->name, sqrt(sum),
              tensor_grad_norm(x));
    }
    layout_free(&l);
    params_free(&params);
}

Test(layout, buckets_cover_the_block, .timeout = 10) {
    Params params = make_params();
    Layout l = layout_create(&params, 2, 2000);
    CHECK(l.n_buckets == 2, "%zu buckets, expected 2: last and vector, then matrix",
          l.n_buckets);
    size_t end = params.n_grads;
    for (size_t b = 0; b < l.n_buckets; b++) {
        Range range = layout_bucket(&l, b);
        CHECK(range.begin + range.n == end, "bucket %zu ends at %zu, expected %zu", b,
              range.begin + range.n, end);
        end = range.begin;
    }
    CHECK(end == 0, "the last bucket begins at %zu", end);
    layout_free(&l);
    params_free(&params);
}

Test(layout, every_number_has_one_owner, .timeout = 10) {
    Params params = make_params();
    for (size_t n_ranks = 1; n_ranks <= 7; n_ranks++) {
        Layout l = layout_create(&params, n_ranks, 2000);
        size_t shares = 0;
        for (size_t b = 0; b < l.n_buckets; b++) {
            Range bucket = layout_bucket(&l, b);
            size_t next = bucket.begin;
            for (size_t r = 0; r < n_ranks; r++) {
                Range piece = layout_piece(&l, b, r);
                CHECK(piece.begin == next,
                      "%zu ranks, bucket %zu: rank %zu begins at %zu, expected %zu",
                      n_ranks, b, r, piece.begin, next);
                next += piece.n;
            }
            CHECK(next == bucket.begin + bucket.n,
                  "%zu ranks, bucket %zu: owned up to %zu, expected %zu", n_ranks, b,
                  next, bucket.begin + bucket.n);
        }
        for (size_t r = 0; r < n_ranks; r++) shares += layout_share(&l, r);
        CHECK(shares == params.n_grads, "%zu ranks own %zu numbers, expected %zu",
              n_ranks, shares, params.n_grads);
        layout_free(&l);
    }
    params_free(&params);
}

/* Tests of learned positions: offsets, a gradient that adds up over the batch, and the
 * table's end. */
#include "06-embeddings/positions.h"

#include <math.h>

#include "06-embeddings/sinusoidal.h"
#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/golden.h"
#include "weights/params.h"

Test(positions, ids_start_where_each_row_is, .timeout = 10) {
    int ids[6];
    position_ids(ids, (const size_t[]){0, 7}, 2, 3);
    const int expected[6] = {0, 1, 2, 7, 8, 9};
    for (size_t i = 0; i < 6; i++)
        cr_expect_eq(ids[i], expected[i], "ids[%zu] is %d", i, ids[i]);
    position_ids(ids, NULL, 2, 3);
    for (size_t i = 0; i < 6; i++)
        cr_expect_eq(ids[i], (int)(i % 3), "ids[%zu] is %d", i, ids[i]);
}

/* The golden case starts at position 4, and both rows of the batch use the same
 * positions. */
Test(positions, gradient_equals_pytorch, .timeout = 10) {
    Tape t = tape_create(1);
    Params params = {.mode = PARAMS_TRAIN};
    size_t shape[SAFETENSORS_MAX_NDIM], table_shape[SAFETENSORS_MAX_NDIM], n;
    golden_shape("embedding", "offset", "y", shape);
    golden_shape("embedding", "offset", "wpe", table_shape);
    float *wpe = golden_float("embedding", "offset", "wpe", &n);
    Tensor *table = params_add(&params, 2, table_shape, "wpe.weight");
    for (size_t i = 0; i < n; i++) table->data[i] = wpe[i];

    size_t first = (size_t)golden_attr("embedding", "offset", "pos0");
    Tensor *out =
        positions(&t, table, (const size_t[]){first, first}, shape[0], shape[1]);
    cr_assert_eq(out->data[0], wpe[first * shape[2]],
                 "the first position is not row pos0");
    tape_backward(&t, tape_weighted_sum(
                          &t, out, golden_float("embedding", "offset", "dy", NULL)));
    CHECK_CLOSE("dwpe", table->grad, golden("embedding", "offset", "dwpe", NULL), n,
                1e-5);
}

/* k words on, each pair of a sinusoidal row is turned by k times its frequency,
 * wherever it was. */
Test(positions, sinusoidal_rows_with_an_offset_are_turned, .timeout = 10) {
    enum { N = 40, DIM = 6, LENGTH = 5 };
    float data[N * DIM];
    sinusoidal_table(data, N, DIM);
    Tape t = tape_for_inference();
    Tensor *table = tape_input(&t, 2, (size_t[]){N, DIM}, data);
    for (size_t k = 0; k + LENGTH <= N; k += 7) {
        const float *here = positions(&t, table, NULL, 1, LENGTH)->data;
        const float *there = positions(&t, table, &k, 1, LENGTH)->data;
        for (size_t i = 0; i < LENGTH * DIM; i += 2) {
            double turn = (double)k * pow(10000, -(double)(i % DIM) / DIM),
                   s = (double)here[i], c = (double)here[i + 1];
            CHECK_NUMBER("the sine", there[i], s * cos(turn) + c * sin(turn), 1e-5);
            CHECK_NUMBER("the cosine", there[i + 1], c * cos(turn) - s * sin(turn),
                         1e-5);
        }
    }
    tape_free(&t);
}

static void look_up(void *first) {
    Tape t = tape_create(1);
    float data[18] = {0};
    positions(&t, tape_input(&t, 2, (size_t[]){9, 2}, data), first, 2, 3);
}

Test(positions, refuses_to_run_past_the_table, .timeout = 10) {
    expect_exit(0, "", look_up, (size_t[]){0, 6});
    expect_exit(EXIT_INPUT, "row 1 needs positions 7 to 9, but the table has 9",
                look_up, (size_t[]){0, 7});
    expect_exit(EXIT_INPUT, "row 0 needs positions 100", look_up, (size_t[]){100, 0});
}

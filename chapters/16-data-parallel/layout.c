/* The layout of the gradients and their owners: see layout.h. */
#include "16-data-parallel/layout.h"

#include <limits.h>
#include <stdlib.h>

#include "16-data-parallel/shard.h"
#include "base/error.h"
#include "base/memory.h"

static void find_rows(Layout *l, const Params *params) {
    l->first_row = checked_alloc(params->n + 1, sizeof *l->first_row);
    for (size_t i = 0; i < params->n; i++)
        l->first_row[i + 1] = l->first_row[i] +
                              (tensor_size(params->items[i].tensor) - 1) / LAYOUT_ROW +
                              1;
    l->n_rows = l->first_row[params->n];
    l->starts = checked_alloc(l->n_rows + 1, sizeof *l->starts);
    for (size_t i = 0; i < params->n; i++) {
        size_t begin = (size_t)(params->items[i].tensor->grad - params->grads);
        for (size_t row = l->first_row[i]; row < l->first_row[i + 1]; row++)
            l->starts[row] = begin + (row - l->first_row[i]) * LAYOUT_ROW;
    }
    l->starts[l->n_rows] = params->n_grads;
}

static void fill_buckets(Layout *l, const Params *params, size_t bucket_floats) {
    size_t *sizes = checked_alloc(params->n, sizeof *sizes);
    for (size_t i = 0; i < params->n; i++)
        sizes[i] = tensor_size(params->items[i].tensor);
    l->buckets = checked_alloc(params->n, sizeof *l->buckets);
    l->n_buckets = bucket_fill(l->buckets, sizes, params->n, bucket_floats);
    free(sizes);
}

static void cut_buckets(Layout *l) {
    l->cuts = checked_alloc(size_mul(l->n_buckets, l->n_ranks + 1), sizeof *l->cuts);
    for (size_t b = 0; b < l->n_buckets; b++) {
        size_t first = l->first_row[l->buckets[b].first],
               end = l->first_row[l->buckets[b].end];
        for (size_t rank = 0; rank <= l->n_ranks; rank++)
            l->cuts[b * (l->n_ranks + 1) + rank] =
                first + shard_rows(l->starts + first, end - first, rank, l->n_ranks);
        Range range = layout_bucket(l, b);
        if (range.n > INT_MAX)
            die("parameter of %zu numbers: MPI counts up to %d", range.n, INT_MAX);
    }
}

Layout layout_create(const Params *params, size_t n_ranks, size_t bucket_floats) {
    Layout l = {.n_params = params->n, .n_ranks = n_ranks};
    find_rows(&l, params);
    fill_buckets(&l, params, bucket_floats);
    cut_buckets(&l);
    return l;
}

void layout_free(Layout *l) {
    free(l->first_row);
    free(l->starts);
    free(l->buckets);
    free(l->cuts);
    *l = (Layout){0};
}

static Range floats_of(const Layout *l, size_t first_row, size_t end_row) {
    return (Range){l->starts[first_row], l->starts[end_row] - l->starts[first_row]};
}

Range layout_bucket(const Layout *l, size_t bucket) {
    return floats_of(l, l->first_row[l->buckets[bucket].first],
                     l->first_row[l->buckets[bucket].end]);
}

Range layout_piece_rows(const Layout *l, size_t bucket, size_t rank) {
    const size_t *cuts = l->cuts + bucket * (l->n_ranks + 1);
    return (Range){cuts[rank], cuts[rank + 1] - cuts[rank]};
}

Range layout_piece(const Layout *l, size_t bucket, size_t rank) {
    Range rows = layout_piece_rows(l, bucket, rank);
    return floats_of(l, rows.begin, rows.begin + rows.n);
}

size_t layout_share(const Layout *l, size_t rank) {
    size_t n = 0;
    for (size_t b = 0; b < l->n_buckets; b++) n += layout_piece(l, b, rank).n;
    return n;
}

/* AdamW whose moments are shared out: see sharded_adamw.h. */
#include "16-data-parallel/sharded_adamw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/reduce.h"

/* One row that this rank owns, from its parameter's place, the block's and the
 * moments'. */
typedef struct {
    Tensor *x;
    size_t param, row; /* numbers */
    size_t at, n;      /* floats at .. at + n - 1 of the parameter */
    /* where they are in the block, in m and v, and in whole moments */
    size_t in_block, in_share, in_all;
} Row;

typedef void RowFunction(DataParallel *p, const Row *row, void *context);

/* The floats of all parameters before this one. */
static size_t floats_before(const Params *params, size_t param) {
    size_t n = 0;
    for (size_t i = 0; i < param; i++) n += tensor_size(params->items[i].tensor);
    return n;
}

/* Calls f for every row of this rank, or of all ranks. in_share counts the rows that f
 * sees. */
static void each_row(DataParallel *p, bool own, RowFunction *f, void *context) {
    const Layout *l = &p->layout;
    const Params *params = &p->trainer->model->params;
    Row row = {0};
    for (size_t b = 0; b < l->n_buckets; b++) {
        Range mine = layout_piece_rows(l, b, p->ranks->rank);
        row.in_all = floats_before(params, l->buckets[b].first);
        for (size_t param = l->buckets[b].first; param < l->buckets[b].end; param++) {
            row.param = param;
            row.x = params->items[param].tensor;
            size_t size = tensor_size(row.x), first = l->first_row[param];
            for (size_t r = first; r < l->first_row[param + 1]; r++) {
                row.row = r;
                row.at = (r - first) * LAYOUT_ROW;
                row.n = size - row.at < LAYOUT_ROW ? size - row.at : LAYOUT_ROW;
                row.in_block = l->starts[r];
                bool is_mine = r >= mine.begin && r < mine.begin + mine.n;
                if (is_mine || !own) f(p, &row, context);
                if (is_mine) row.in_share += row.n;
                row.in_all += row.n;
            }
        }
    }
}

/* --- one step --- */

static void store_row_squares(DataParallel *p, const Row *row, void *context) {
    (void)context;
    p->rows[row->row] = row_sum_squares(row->x->grad + row->at, 0.0f, row->n);
}

/* The norms of all gradients, added up in the order of params_grad_norm, from the rows
 * that each rank has. */
static double share_norms(DataParallel *p, double *norms) {
    const Layout *l = &p->layout;
    memset(p->rows, 0, l->n_rows * sizeof *p->rows);
    each_row(p, true, store_row_squares, NULL);
    ranks_share_floats(p->ranks, p->rows, l->n_rows);
    double all = 0;
    for (size_t i = 0; i < l->n_params; i++) {
        double sum = 0;
        for (size_t row = l->first_row[i]; row < l->first_row[i + 1]; row++)
            sum += (double)p->rows[row];
        norms[i] = sqrt(sum);
        all += sum;
    }
    return sqrt(all);
}

/* Reuses the gradient block, no longer needed, to all-gather the new weights. */
static void update_row(DataParallel *p, const Row *row, void *context) {
    float *data = row->x->data + row->at, *grad = row->x->grad + row->at,
          scale = *(float *)context;
    AdamWSettings settings = p->trainer->optimizer.settings;
    if (row->x->ndim < 2) settings.weight_decay = 0;
    for (size_t i = 0; scale < 1 && i < row->n; i++) grad[i] *= scale;
    adamw_update_parts(data, p->m + row->in_share, p->v + row->in_share, grad, row->n,
                       &settings, p->trainer->optimizer.step);
    memcpy(p->exchange.block + row->in_block, data, row->n * sizeof *data);
}

static void copy_weights_from_block(DataParallel *p, const Row *row, void *context) {
    (void)context;
    memcpy(row->x->data + row->at, p->exchange.block + row->in_block,
           row->n * sizeof *row->x->data);
}

//> update
double sharded_adamw_update(ProcessGroup *group, Trainer *t) {
    DataParallel *p = (DataParallel *)group;
    double total = share_norms(p, t->norms), most = (double)t->settings.max_norm;
    if (!isfinite(total)) return total;
    float scale =
        most > 0 && most / (total + 1e-6) < 1 ? (float)(most / (total + 1e-6)) : 1.0f;
    t->optimizer.step++;
    each_row(p, true, update_row, &scale);
    exchange_gather(&p->exchange);
    each_row(p, false, copy_weights_from_block, NULL);
    return total;
}
//< update

/* --- checkpoints: moments through the block, which is free between two steps --- */

static void to_block(DataParallel *p, const Row *row, void *moments) {
    memcpy(p->exchange.block + row->in_block, (float *)moments + row->in_share,
           row->n * sizeof(float));
}

static void from_block(DataParallel *p, const Row *row, void *moments) {
    memcpy((float *)moments + row->in_share, p->exchange.block + row->in_block,
           row->n * sizeof(float));
}

static void all_to_block(DataParallel *p, const Row *row, void *moments) {
    memcpy(p->exchange.block + row->in_block, (float *)moments + row->in_all,
           row->n * sizeof(float));
}

static void all_from_block(DataParallel *p, const Row *row, void *moments) {
    memcpy((float *)moments + row->in_all, p->exchange.block + row->in_block,
           row->n * sizeof(float));
}

static void forget_all(Trainer *t) {
    free(t->optimizer.m);
    free(t->optimizer.v);
    t->optimizer.m = t->optimizer.v = NULL;
}

/* Takes all moments, which rank 0 has, and returns those of this rank's share. */
static float *scatter(DataParallel *p, float *all) {
    if (p->group.is_root) each_row(p, false, all_to_block, all);
    ranks_broadcast(p->ranks, p->exchange.block, p->layout.starts[p->layout.n_rows],
                    sizeof(float));
    float *own = checked_alloc(layout_share(&p->layout, p->ranks->rank), sizeof *own);
    each_row(p, true, from_block, own);
    return own;
}

static float *gather(DataParallel *p, float *own) {
    each_row(p, true, to_block, own);
    exchange_gather(&p->exchange);
    if (!p->group.is_root) return NULL;
    float *all = checked_alloc(p->trainer->optimizer.n, sizeof *all);
    each_row(p, false, all_from_block, all);
    return all;
}

void sharded_adamw_begin(DataParallel *p) {
    AdamW *all = &p->trainer->optimizer;
    p->rows = checked_alloc(p->layout.n_rows, sizeof *p->rows);
    p->m = scatter(p, all->m);
    p->v = scatter(p, all->v);
    forget_all(p->trainer);
}

void sharded_adamw_begin_save(ProcessGroup *group, Trainer *t) {
    DataParallel *p = (DataParallel *)group;
    t->optimizer.m = gather(p, p->m);
    t->optimizer.v = gather(p, p->v);
}

void sharded_adamw_end_save(ProcessGroup *group, Trainer *t) {
    (void)group;
    forget_all(t);
}

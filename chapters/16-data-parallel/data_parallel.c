/* One training run on many processes: see data_parallel.h. */
#include "16-data-parallel/data_parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "16-data-parallel/shard.h"
#include "16-data-parallel/sharded_adamw.h"
#include "base/error.h"
#include "base/memory.h"

/* --- before the first step --- */

static void share_numbers(const Ranks *ranks, size_t *n, void **data, size_t size) {
    ranks_broadcast(ranks, n, 1, sizeof *n);
    if (ranks->rank > 0 && *n) *data = checked_alloc(*n, size);
    ranks_broadcast(ranks, *data, *n, size);
}

/* The text to validate on stays with the leader. */
static void share_data(ProcessGroup *group, Dataset *data) {
    const Ranks *ranks = ((DataParallel *)group)->ranks;
    ranks_broadcast(ranks, &data->n_vocab, 1, sizeof data->n_vocab);
    share_numbers(ranks, &data->train.n, (void **)&data->train.tokens,
                  sizeof *data->train.tokens);
    share_numbers(ranks, &data->train.n_starts, (void **)&data->train.starts,
                  sizeof *data->train.starts);
}

static void begin(ProcessGroup *group, Trainer *t) {
    DataParallel *p = (DataParallel *)group;
    Params *params = &t->model->params;
    if (p->ranks->n > t->settings.accumulate)
        die_usage("%zu ranks for %zu micro-batches: a rank needs at least one; "
                  "--accumulate N has N in a step",
                  p->ranks->n, t->settings.accumulate);
    p->trainer = t;
    p->layout = layout_create(params, p->ranks->n, p->bucket_floats);
    p->exchange =
        exchange_create(p->ranks, &p->layout, params->grads, t->settings.accumulate);
    if (p->all_reduce) p->room = checked_alloc(params->n_grads, sizeof *p->room);
    p->losses = checked_alloc(t->settings.accumulate, sizeof *p->losses);
    ranks_broadcast(p->ranks, &t->step, 1, sizeof t->step);
    ranks_broadcast(p->ranks, &t->optimizer.step, 1, sizeof t->optimizer.step);
    ranks_broadcast(p->ranks, &t->mixed.scale, 1, sizeof t->mixed.scale);
    for (size_t i = 0; i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        ranks_broadcast(p->ranks, x->data, tensor_size(x), sizeof *x->data);
    }
    if (p->sharded) {
        sharded_adamw_begin(p);
    } else {
        ranks_broadcast(p->ranks, t->optimizer.m, t->optimizer.n, sizeof(float));
        ranks_broadcast(p->ranks, t->optimizer.v, t->optimizer.n, sizeof(float));
    }
}

/* --- a step --- */

static size_t param_number(const Params *params, const Tensor *x) {
    size_t i = 0;
    while (params->items[i].tensor != x) i++;
    return i;
}

/* The tape calls this when the gradient of a parameter is final (tape.h). Gradients of
 * a micro-batch that is not the rank's last are added to others first. */
static void when_final(void *context, Tensor *x) {
    DataParallel *p = context;
    size_t param = param_number(&p->trainer->model->params, x);
    size_t b = bucket_final(p->layout.buckets, p->layout.n_buckets, param);
    if (b < p->layout.n_buckets) exchange_send(&p->exchange, b);
    exchange_progress(&p->exchange);
}

void data_parallel_micro_batch(DataParallel *p, size_t index,
                               TapeGradientReady *on_gradient_ready) {
    Trainer *t = p->trainer;
    t->tape.random =
        random_stream(t->settings.seed, STREAM_DROPOUT + ((uint64_t)index << 8));
    t->tape.random.next = (uint64_t)t->step << 40;
    tape_reset(&t->tape);
    Tensor *loss = trainer_micro_loss(&t->tape, t, index);
    p->losses[index] = loss->data[0];
    t->tape.on_gradient_ready = on_gradient_ready;
    t->tape.ready_context = p;
    tape_backward(&t->tape,
                  tape_scale(&t->tape, loss, 1.0f / (float)t->settings.accumulate));
}

float data_parallel_mean_loss(DataParallel *p) {
    const Trainer *t = p->trainer;
    size_t n = t->settings.accumulate, rank = 0;
    double sum = 0;
    ranks_share_floats(p->ranks, p->losses, n);
    for (size_t i = 0; i < n; i++) {
        while (shard_batches(n, rank + 1, p->ranks->n) <= i) rank++;
        if (!isfinite(p->losses[i]))
            die("step %zu: the loss of micro-batch %zu, at rank %zu, is %f; the "
                "weights of step %zu are kept",
                t->step + 1, i, rank, (double)p->losses[i], t->step);
        sum += (double)p->losses[i];
    }
    return (float)(sum / (double)n);
}

//> gradients
static float gradients(ProcessGroup *group, Trainer *t) {
    DataParallel *p = (DataParallel *)group;
    size_t n = t->settings.accumulate,
           end = shard_batches(n, p->ranks->rank + 1, p->ranks->n);
    memset(p->losses, 0, n * sizeof *p->losses);
    bucket_wait(p->layout.buckets, p->layout.n_buckets);
    exchange_begin(&p->exchange, !p->sharded);
    for (size_t i = shard_batches(n, p->ranks->rank, p->ranks->n); i < end; i++) {
        bool last = i + 1 == end;
        params_zero_grad(&t->model->params);
        data_parallel_micro_batch(p, i, last ? when_final : NULL);
        if (!last) exchange_add(&p->exchange, i);
    }
    exchange_finish(&p->exchange);
    return data_parallel_mean_loss(p);
}
//< gradients

static float gradients_by_rank(ProcessGroup *group, Trainer *t) {
    DataParallel *p = (DataParallel *)group;
    Params *params = &t->model->params;
    size_t n = t->settings.accumulate,
           first = shard_batches(n, p->ranks->rank, p->ranks->n),
           end = shard_batches(n, p->ranks->rank + 1, p->ranks->n);
    memset(p->losses, 0, n * sizeof *p->losses);
    for (size_t i = first; i < end; i++) {
        if (i > first) mixed_keep(&t->mixed, params);
        data_parallel_micro_batch(p, i, NULL);
    }
    mixed_collect(&t->mixed, params);
    ranks_wait_begin(p->ranks);
    p->all_reduce(p->ranks, params->grads, params->n_grads, p->room);
    ranks_wait_end();
    return data_parallel_mean_loss(p);
}

/* --- together --- */

static void no_op(ProcessGroup *group, Trainer *t) {
    (void)group;
    (void)t;
}

static int agree(ProcessGroup *group, int signal_number) {
    const Ranks *ranks = ((DataParallel *)group)->ranks;
    int largest;
    MPI_Allreduce(&signal_number, &largest, 1, MPI_INT, MPI_MAX, ranks->comm);
    return largest;
}

DataParallel data_parallel_create(const Ranks *ranks, size_t bucket_floats,
                                  bool sharded) {
    return (DataParallel){
        .group = {.is_root = ranks->rank == 0,
                  .share_data = share_data,
                  .begin = begin,
                  .gradients = gradients,
                  .update = sharded ? sharded_adamw_update : NULL,
                  .begin_save = sharded ? sharded_adamw_begin_save : no_op,
                  .end_save = sharded ? sharded_adamw_end_save : no_op,
                  .agree = agree},
        .ranks = ranks,
        .bucket_floats = bucket_floats,
        .sharded = sharded,
    };
}

void data_parallel_use(DataParallel *p, AllReduce *all_reduce) {
    p->all_reduce = all_reduce;
    p->group.gradients = gradients_by_rank;
}

void data_parallel_free(DataParallel *p) {
    if (p->trainer) {
        exchange_free(&p->exchange);
        layout_free(&p->layout);
    }
    free(p->losses);
    free(p->rows);
    free(p->m);
    free(p->v);
    free(p->room);
    *p = (DataParallel){0};
}

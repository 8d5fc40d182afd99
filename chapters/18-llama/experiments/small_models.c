/* The small models of this chapter's experiments: see small_models.h. */
#include "18-llama/experiments/small_models.h"

#include <stdlib.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "18-llama/llama.h"
#include "base/memory.h"
#include "text/corpus.h"

static int *bytes_of(uint64_t seed, size_t least, size_t *n) {
    CorpusText text = corpus_generate(seed, least);
    int *tokens = checked_alloc(text.bytes, sizeof *tokens);
    for (size_t i = 0; i < text.bytes; i++) tokens[i] = (unsigned char)text.text[i];
    *n = text.bytes;
    free(text.text);
    return tokens;
}

SmallRuns small_runs_begin(const Settings *settings) {
    SmallRuns r = {.n_seeds = settings->quick ? 2 : MAX_SEEDS,
                   .steps = settings->quick ? 60 : 600};
    r.text = bytes_of(1, 1 << 20, &r.bytes);
    r.unseen = bytes_of(2, 1 << 16, &r.unseen_bytes);
    return r;
}

void small_runs_end(SmallRuns *runs) {
    free(runs->text);
    free(runs->unseen);
}

Gpt2Config small_gpt2(void) {
    Gpt2Config c = gpt2_config(BYTES, ASKED, LAYERS, HEADS, WIDTH);
    c.init_std = 0.1f;
    return c;
}

Gpt2Config small_llama(void) {
    Gpt2Config c = small_gpt2();
    c.block.norm = NORM_RMS;
    block_set_biases(&c.block, false);
    c.block.ffn = FFN_SWIGLU;
    c.block.d_ff = 171;
    c.positions = POSITIONS_NONE;
    rotary_set(&c.block, 10000);
    return c;
}

static void draw_batch(int *inputs, int *targets, const SmallRuns *r, size_t length,
                       Random *random) {
    for (size_t b = 0; b < BATCH; b++) {
        const int *from = r->text + random_below(random, (uint32_t)(r->bytes - length));
        for (size_t i = 0; i < length; i++) {
            inputs[b * length + i] = from[i];
            targets[b * length + i] = from[i + 1];
        }
    }
}

void small_train(const SmallRuns *r, Gpt2 *model, uint64_t seed, size_t steps,
                 size_t length, float rate) {
    Random data = random_stream(seed, 2);
    AdamW optimizer = adamw_create(&model->params, rate, 0);
    Tape t = tape_create(seed);
    int inputs[BATCH * ASKED], targets[BATCH * ASKED];
    Gpt2Input input = {.tokens = inputs, .batch = BATCH, .length = length};
    for (size_t step = 0; step < steps; step++) {
        draw_batch(inputs, targets, r, length, &data);
        tape_reset(&t);
        params_zero_grad(&model->params);
        tape_backward(&t, gpt2_loss(&t, model, &input, targets));
        float left = (float)(steps - step) / (float)steps;
        optimizer.settings.learning_rate = rate * left;
        adamw_step(&optimizer, &model->params);
    }
    tape_free(&t);
    adamw_free(&optimizer);
}

/* A table of sinusoids has a root mean square of 1 / sqrt(2), which the rows of the
 * tokens, at init_std, would be lost beside. */
static void shrink_sinusoids(Gpt2 *model) {
    const Gpt2Config *c = &model->config;
    if (c->positions != POSITIONS_SINUSOIDAL) return;
    for (size_t i = 0; i < tensor_size(model->wpe); i++)
        model->wpe->data[i] *= 1.41421356f * c->init_std;
}

Gpt2 *small_trained(const SmallRuns *r, const Gpt2Config *config, uint64_t seed) {
    Random init = random_stream(seed, 1);
    Gpt2 *model = gpt2_create(config, PARAMS_TRAIN, &init);
    shrink_sinusoids(model);
    small_train(r, model, seed, r->steps, TRAINED, 3e-3f);
    return model;
}

LossByPosition small_ask(const SmallRuns *r, const Gpt2 *model) {
    enum { WINDOWS = 150 };
    LossByPosition loss = {0};
    Tape t = tape_for_inference();
    size_t apart = (r->unseen_bytes - ASKED - 1) / WINDOWS;
    for (size_t w = 0; w < WINDOWS; w++) {
        const int *tokens = r->unseen + w * apart;
        Gpt2Input input = {.tokens = tokens, .batch = 1, .length = ASKED};
        const float *logits = gpt2_logits(&t, model, &input)->data;
        float logsumexp[ASKED];
        cross_entropy_forward(logsumexp, logits, tokens + 1, ASKED, BYTES);
        for (size_t p = 0; p < ASKED; p++)
            loss.losses[p / BUCKET] +=
                ((double)logsumexp[p] -
                 (double)logits[p * BYTES + (size_t)tokens[p + 1]]) /
                (WINDOWS * BUCKET);
        tape_reset(&t);
    }
    tape_free(&t);
    return loss;
}

/* The mean of the buckets from `from` on, up to `to`. */
static double mean_of(const LossByPosition *l, size_t from, size_t to) {
    double sum = 0;
    for (size_t i = from; i < to; i++) sum += l->losses[i];
    return sum / (double)(to - from);
}

double loss_inside(const LossByPosition *l) {
    return mean_of(l, 0, TRAINED / BUCKET);
}

double loss_past(const LossByPosition *l) {
    return mean_of(l, TRAINED / BUCKET, BUCKETS);
}

/* The loss of a published model at each position of a long text: see experiments.h. */
#include <stdio.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "18-llama/experiments/experiments.h"
#include "18-llama/experiments/published.h"
#include "files/csv.h"
#include "program/claim.h"

enum { LENGTH = 1024, APART = 512, PLACES = 10, ROWS = 64 };

/* Positions 1, 2 to 3, 4 to 7 ... 512 to 1023: how many tokens came before. */
static size_t place_of(size_t position) {
    size_t place = 0;
    while (position >= (size_t)2 << place) place++;
    return place;
}

typedef struct {
    double sum[PLACES];
    size_t n[PLACES];
} Places;

static void add_window(Places *places, const Published *p, const int *tokens) {
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = tokens, .batch = 1, .length = LENGTH};
    const float *hidden = gpt2_hidden(&t, p->model, &input)->data;
    size_t width = p->model->config.block.d_model, n_vocab = p->model->config.n_vocab;
    float *logits = tape_alloc(&t, ROWS * n_vocab, sizeof *logits), logsumexp[ROWS];
    for (size_t from = 0; from < LENGTH; from += ROWS) {
        gpt2_head_rows(logits, p->model, hidden + from * width, ROWS);
        cross_entropy_forward(logsumexp, logits, tokens + from + 1, ROWS, n_vocab);
        for (size_t r = 0; r < ROWS; r++) {
            size_t position = from + r + 1, place = place_of(position);
            if (position >= LENGTH) continue;
            places->sum[place] +=
                (double)logsumexp[r] -
                (double)logits[r * n_vocab + (size_t)tokens[position]];
            places->n[place]++;
        }
    }
    tape_free(&t);
}

void experiment_published_positions(const Settings *settings) {
    Published p;
    if (!published_begin(&p, LENGTH + 1)) return;
    for (size_t l = 0; l < p.model->config.n_layer; l++)
        p.model->blocks[l].attn.config.kind = ATTENTION_ONLINE;
    Places places = {{0}, {0}};
    size_t windows = 0, most = settings->quick ? 2 : SIZE_MAX;
    for (size_t at = 0; at + LENGTH < p.n && windows < most; at += APART, windows++)
        add_window(&places, &p, p.tokens + at);
    Csv csv =
        csv_begin(settings->out, "published-positions", "from,to,predictions,loss");
    printf("%zu windows of %d tokens; nats a token by the tokens before it\n", windows,
           LENGTH);
    for (size_t i = 0; i < PLACES; i++) {
        double loss = places.sum[i] / (double)places.n[i];
        size_t from = (size_t)1 << i, to = 2 * from - 1;
        printf("%4zu to %4zu  %.3f\n", from, to, loss);
        csv_row(&csv, "%zu,%zu,%zu,%.5g", from, to, places.n[i], loss);
    }
    csv_commit(&csv);
    double early = places.sum[5] / (double)places.n[5],
           late = places.sum[PLACES - 1] / (double)places.n[PLACES - 1];
    claim(late < early, "behind 512 tokens it loses %.2f, behind 32 to 63 %.2f", late,
          early);
    published_end(&p);
}

/* FFNs as memories: see keys.h. */
#include "10-gpt2/keys.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/unicode.h"

/* The hidden layer [rows, d_ff] of the block's FFN in this pass: the input of its
 * second matrix. */
//> hidden_layer
static const Tensor *hidden_layer(const Tape *t, const Block *block) {
    const TapeNode *node = t->last;
    while (!(node->n_inputs > 1 && node->inputs[1] == block->mlp.down.weight))
        node = node->previous;
    return node->inputs[0];
}
//< hidden_layer

static void read_keys(KeyUnit *units, const Gpt2 *model, const int *tokens, size_t n) {
    size_t d_ff = model->config.block.d_ff, window = model->config.n_ctx;
    Tape t = tape_create(0);
    t.training = false; /* it records, and nothing is dropped */
    for (size_t from = 0; from + 1 < n; from += window) {
        size_t length = n - 1 - from < window ? n - 1 - from : window;
        gpt2_hidden(
            &t, model,
            &(Gpt2Input){.tokens = tokens + from, .batch = 1, .length = length});
        for (size_t layer = 0; layer < model->config.n_layer; layer++) {
            const float *hidden = hidden_layer(&t, &model->blocks[layer])->data;
            for (size_t p = 0; p < length; p++) {
                for (size_t u = 0; u < d_ff; u++)
                    top_activations_add(&units[layer * d_ff + u].fires,
                                        hidden[p * d_ff + u], from + p);
            }
        }
        tape_reset(&t);
    }
    tape_free(&t);
}

/* The first VALUE_TOKENS of the scores, by insertion. */
static void note_tokens(KeyUnit *u, const float *scores, size_t n_vocab) {
    float best[VALUE_TOKENS];
    size_t n = 0;
    for (size_t token = 0; token < n_vocab; token++) {
        size_t at = n;
        while (at > 0 && scores[token] > best[at - 1]) at--;
        if (at == VALUE_TOKENS) continue;
        if (n < VALUE_TOKENS) n++;
        for (size_t j = n - 1; j > at; j--) {
            best[j] = best[j - 1];
            u->tokens[j] = u->tokens[j - 1];
        }
        best[at] = scores[token];
        u->tokens[at] = (int)token;
    }
    for (; n < VALUE_TOKENS; n++) u->tokens[n] = -1; /* a vocabulary of fewer */
}

static void read_values(KeyUnit *units, const Gpt2 *model) {
    size_t d = model->config.block.d_model, d_ff = model->config.block.d_ff,
           n_vocab = model->config.n_vocab;
    float *value = checked_alloc(d, sizeof *value),
          *scores = checked_alloc(n_vocab, sizeof *scores);
    const float *gain = model->ln_f.layer.gain ? model->ln_f.layer.gain->data : NULL;
    for (size_t layer = 0; layer < model->config.n_layer; layer++) {
        const float *down = model->blocks[layer].mlp.down.weight->data;
        for (size_t u = 0; u < d_ff; u++) {
            for (size_t i = 0; i < d; i++)
                value[i] = down[u * d + i] * (gain ? gain[i] : 1.0f);
            gpt2_head_rows(scores, model, value, 1);
            note_tokens(&units[layer * d_ff + u], scores, n_vocab);
        }
    }
    free(value);
    free(scores);
}

KeyUnit *keys_read(const Gpt2 *model, const int *tokens, size_t n) {
    size_t count = size_mul(model->config.n_layer, model->config.block.d_ff);
    KeyUnit *units = checked_alloc(count, sizeof *units);
    read_keys(units, model, tokens, n);
    read_values(units, model);
    return units;
}

static bool speaks_for(const KeyUnit *u, int token, size_t k) {
    for (size_t i = 0; i < k; i++) {
        if (u->tokens[i] == token) return true;
    }
    return false;
}

static int next_token(const KeyUnit *u, const int *tokens) {
    return tokens[u->fires.place[0] + 1];
}

KeyAgreement keys_agreement(const KeyUnit *units, size_t d_ff, const int *tokens,
                            size_t n_vocab, size_t k) {
    size_t *followed = checked_alloc(n_vocab, sizeof *followed), own = 0, all = 0;
    for (size_t u = 0; u < d_ff; u++) followed[next_token(&units[u], tokens)]++;
    for (size_t u = 0; u < d_ff; u++) {
        own += speaks_for(&units[u], next_token(&units[u], tokens), k);
        for (size_t i = 0; i < k && units[u].tokens[i] >= 0; i++)
            all += followed[units[u].tokens[i]];
    }
    free(followed);
    return (KeyAgreement){(double)own / (double)d_ff,
                          (double)(all - own) / (double)d_ff /
                              (double)(d_ff > 1 ? d_ff - 1 : 1)};
}

/* --- printing --- */

enum { SHOWN = 8, CONTEXT_TOKENS = 6, SHOWN_TOKENS = 3 };

static void print_tokens(const Tokenizer *tokenizer, const int *tokens, size_t n) {
    size_t bytes;
    char *text = tokenizer_decode(tokenizer, tokens, n, &bytes);
    printf("%s", printable(text, PRINTABLE_MOST).text);
    free(text);
}

static void print_unit(const KeyUnit *u, size_t number, const Tokenizer *tokenizer,
                       const int *tokens) {
    printf("unit %zu\n", number);
    for (size_t i = 0; i < TOP_ACTIVATIONS; i++) {
        size_t from = u->fires.place[i] + 1 < CONTEXT_TOKENS
                          ? 0
                          : u->fires.place[i] + 1 - CONTEXT_TOKENS;
        printf("  %5.2f  ...", (double)u->fires.activation[i]);
        print_tokens(tokenizer, tokens + from, u->fires.place[i] + 1 - from);
        printf(" |");
        print_tokens(tokenizer, tokens + u->fires.place[i] + 1, 1);
        putchar('\n');
    }
    printf("  value:");
    for (size_t i = 0; i < SHOWN_TOKENS && u->tokens[i] >= 0; i++) {
        printf(" '");
        print_tokens(tokenizer, &u->tokens[i], 1);
        printf("'");
    }
    putchar('\n');
}

void keys_print(const KeyUnit *units, const Gpt2 *model, const Tokenizer *tokenizer,
                const int *tokens) {
    size_t d_ff = model->config.block.d_ff, n_layer = model->config.n_layer,
           n_vocab = model->config.n_vocab;
    printf("share of values whose first token follows where their key fires most\n%5s "
           "%8s %14s\n",
           "layer", "its own", "another's key");
    for (size_t layer = 0; layer < n_layer; layer++) {
        KeyAgreement a = keys_agreement(units + layer * d_ff, d_ff, tokens, n_vocab, 1);
        printf("%5zu %8.3f %14.3f\n", layer + 1, a.own, a.others);
    }
    printf("\nin the last layer: where a key fires most | what comes next; what its "
           "value speaks for\n");
    const KeyUnit *last = units + (n_layer - 1) * d_ff, *before = NULL;
    for (size_t shown = 0; shown < SHOWN; shown++) {
        const KeyUnit *best = NULL;
        for (const KeyUnit *u = last; u < last + d_ff; u++) {
            if (!speaks_for(u, next_token(u, tokens), 1)) continue;
            if (before && (u->fires.activation[0] > before->fires.activation[0] ||
                           (u->fires.activation[0] == before->fires.activation[0] &&
                            u <= before)))
                continue;
            if (!best || u->fires.activation[0] > best->fires.activation[0]) best = u;
        }
        if (!best) break;
        print_unit(best, (size_t)(best - last), tokenizer, tokens);
        before = best;
    }
}

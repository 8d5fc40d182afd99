/* Writing text: see generate.h. */
#include "12-generation/generate.h"

#include <stdlib.h>

#include "error.h"

static const float *next_logits(void *self, const int *tokens, size_t n) {
    PlainModel *m = self;
    tape_reset(&m->tape);
    Gpt2Input input = {.tokens = tokens, .batch = 1, .length = n};
    return gpt2_logits_at(&m->tape, m->model, gpt2_hidden(&m->tape, m->model, &input), (size_t[]){n - 1});
}

PlainModel plain_model_create(const Gpt2 *model) {
    PlainModel m = {.model = model, .tape = tape_create(0)};
    m.tape.recording = m.tape.training = false;
    return m;
}

LanguageModel plain_model(PlainModel *self) {
    return (LanguageModel){next_logits, self, self->model->config.n_vocab, self->model->config.n_ctx};
}

void plain_model_free(PlainModel *self) {
    tape_free(&self->tape);
}

//> generate
size_t generate(int *tokens, size_t n, LanguageModel lm, const GenerateSettings *settings, Random *random,
                void (*emit)(void *context, int token), void *context) {
    if (n == 0) die("generate: the prompt is empty");
    double *scratch = checked_alloc(lm.n_vocab, sizeof *scratch);
    size_t end = n + settings->max_new_tokens;
    while (n < end && n <= lm.n_ctx) {
        const float *logits = lm.next_logits(lm.self, tokens, n);
        double u = settings->sampling.greedy ? 0 : random_double(random);
        int token = sampling_next(scratch, logits, lm.n_vocab, tokens, n, &settings->sampling, u);
        tokens[n++] = token;
        if (emit) emit(context, token);
        if (token == settings->stop_token) break;
    }
    free(scratch);
    return n;
}
//< generate

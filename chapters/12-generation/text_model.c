/* A model and its tokenizer: see text_model.h. */
#include "12-generation/text_model.h"

#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/ids.h"
#include "10-gpt2/model_tokenizer.h"
#include "11-training/train.h"
#include "base/error.h"
#include "program/progress.h"

TextModel text_model_load(const char *directory) {
    Gpt2 *model = gpt2_load(directory, PARAMS_MAPPED);
    return (TextModel){model, model_tokenizer(NULL, directory, model->config.n_vocab)};
}

TextModel text_model_train(uint64_t seed, const SmallModel *size) {
    Tokenizer *tokenizer = dataset_tokenizer(NULL, seed, 512);
    Dataset data = dataset_corpus(tokenizer, seed, 400000, 2000);
    Gpt2Config config =
        gpt2_config(data.n_vocab, size->n_ctx, size->n_layer, 4, size->d_model);
    TrainSettings settings = train_settings(&config);
    settings.seed = seed;
    settings.batch = 1024 / size->n_ctx;
    settings.steps = size->steps;
    settings.warmup = size->steps / 10;
    Trainer t = trainer_create(&settings, &data, NULL);
    Progress bar = progress_begin("training a small model", size->steps);
    while (t.step < settings.steps) {
        trainer_step(&t);
        progress_update(&bar, t.step, "loss %.3f", (double)t.log[t.step - 1].loss);
    }
    progress_end(&bar);
    TextModel m = {t.model, tokenizer};
    t.model = NULL; /* it stays when the trainer goes */
    trainer_free(&t);
    dataset_free(&data);
    return m;
}

void text_model_free(TextModel *m) {
    if (m->model) gpt2_free(m->model);
    if (m->tokenizer) tokenizer_free(m->tokenizer);
    *m = (TextModel){0};
}

int text_model_token(const TextModel *m, const char *text) {
    size_t n;
    int *tokens;
    if (!m->tokenizer || (*text && text[strspn(text, "0123456789")] == '\0')) {
        tokens = ids_parse("--stop-token", text, m->model->config.n_vocab, &n);
    } else {
        if (strcmp(text, "\\n") == 0) text = "\n";
        tokens = tokenizer_encode(m->tokenizer, text, strlen(text), true, &n);
    }
    if (n != 1)
        die("stop token '%s': %zu tokens of this vocabulary, expected one", text, n);
    int token = tokens[0];
    free(tokens);
    return token;
}

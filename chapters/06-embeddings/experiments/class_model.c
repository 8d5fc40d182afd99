/* A model of the class language: see class_model.h. */
#include "06-embeddings/experiments/class_model.h"

#include "00-tensors/optimizer.h"
#include "00-tensors/relu.h"
#include "00-tensors/softmax_layer.h"
#include "06-embeddings/embedding_layer.h"
#include "06-embeddings/experiments/operations.h"

enum { STREAM_INIT = 1, STREAM_DATA };

static Tensor *table(Params *params, Random *init, size_t dim, const char *name) {
    Tensor *rows = params_add(params, 2, (size_t[]){LANGUAGE_WORDS, dim}, name);
    random_fill_normal(init, rows->data, tensor_size(rows), 0.02f);
    return rows;
}

ClassModel class_model_create(bool tied, size_t dim, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    ClassModel m = {.params = {.mode = PARAMS_TRAIN}};
    m.wte = table(&m.params, &init, dim, "wte.weight");
    m.out = tied ? m.wte : table(&m.params, &init, dim, "lm_head.weight");
    m.up = linear_create(&m.params, &init, dim, CLASS_HIDDEN, true, 0.2f, "up");
    m.down = linear_create(&m.params, &init, CLASS_HIDDEN, dim, true, 0.2f, "down");
    return m;
}

//> tying
Tensor *class_model_logits(Tape *t, const ClassModel *m, const int *words, size_t n) {
    Tensor *x = embedding(t, m->wte, words, 1, (size_t[]){n}, NO_PADDING);
    x = tape_add(t, x, linear(t, &m->down, relu(t, linear(t, &m->up, x))));
    return linear(t, &(Linear){.weight = transpose(t, m->out)}, x);
}
//< tying

void class_model_train(ClassModel *m, const ClassLanguage *language, float rate,
                       size_t steps, uint64_t seed, ClassStep *on_step, void *context) {
    int words[CLASS_BATCH], next[CLASS_BATCH];
    AdamW optimizer = adamw_create(&m->params, rate, 0);
    Random data = random_stream(seed, STREAM_DATA);
    Tape t = tape_create(seed);
    for (size_t step = 0; step <= steps; step++) {
        on_step(context, m, step);
        if (step == steps) break;
        class_language_pairs(words, next, CLASS_BATCH, language, &data);
        tape_reset(&t);
        params_zero_grad(&m->params);
        Tensor *logits = class_model_logits(&t, m, words, CLASS_BATCH);
        tape_backward(&t, cross_entropy(&t, logits, next));
        adamw_step(&optimizer, &m->params);
    }
    tape_free(&t);
    adamw_free(&optimizer);
}

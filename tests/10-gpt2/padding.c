/* Tests of the model on batches with padding: what transformers computes, and each text
 * as it is alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "10-gpt2/checkpoint.h"
#include "10-gpt2/dump.h"
#include "base/memory.h"
#include "check/check.h"
#include "check/golden.h"
#include "check/remove_tree.h"
#include "files/file.h"

static const char family[] = "padding/golden";

typedef struct {
    int *tokens, *mask, *targets;
    size_t batch, length;
} Padded;

static Padded golden_batch(void) {
    size_t shape[SAFETENSORS_MAX_NDIM], n;
    golden_shape(family, NULL, "tokens", shape);
    Padded p = {.tokens = golden_int(family, NULL, "tokens", &n),
                .mask = golden_int(family, NULL, "mask", NULL),
                .batch = shape[0],
                .length = shape[1]};
    p.targets = checked_alloc(n, sizeof *p.targets);
    next_tokens(p.targets, p.tokens, p.mask, p.batch, p.length);
    return p;
}

static Gpt2Input input_of(const Padded *p) {
    return (Gpt2Input){
        .tokens = p->tokens, .batch = p->batch, .length = p->length, .mask = p->mask};
}

/* The tokens of row b alone. */
static Padded text_alone(const Padded *p, size_t b) {
    Padded text = {.batch = 1, .tokens = checked_alloc(p->length, sizeof(int))};
    for (size_t i = b * p->length; i < (b + 1) * p->length; i++) {
        if (p->mask[i]) text.tokens[text.length++] = p->tokens[i];
    }
    text.targets = checked_alloc(p->length, sizeof(int));
    next_tokens(text.targets, text.tokens, NULL, 1, text.length);
    return text;
}

static Gpt2 *tiny(void) {
    return gpt2_load(golden_path("tiny_gpt2"), PARAMS_TRAIN);
}

static void check_near(const char *what, const float *got, const char *tensor) {
    size_t n;
    const double *expected = golden(family, NULL, tensor, &n);
    double largest = 0, worst = 0;
    for (size_t i = 0; i < n; i++) {
        double off = fabs((double)got[i] - expected[i]);
        if (!(off <= worst)) worst = off; /* NaN too */
        largest = fmax(largest, fabs(expected[i]));
    }
    CHECK(worst <= 1e-5 * largest, "%s is off by %.2g of its largest element", what,
          worst / largest);
}

/* Transformers computes something for padding, too: it is not compared. */
static void only_tokens(float *x, const int *mask, size_t n, size_t width) {
    for (size_t i = 0; i < n * width; i++) x[i] *= (float)mask[i / width];
}

Test(padding, equals_transformers, .timeout = 30) {
    Padded p = golden_batch();
    Gpt2 *model = tiny();
    Gpt2Input input = input_of(&p);
    Tape t = tape_create(1);
    t.training = false;
    Tensor *weights[2], *hidden = gpt2_hidden_with_weights(&t, model, &input, weights);
    float *logits = gpt2_head(&t, model, hidden)->data;
    size_t n_vocab = model->config.n_vocab, n = p.batch * p.length;
    float *last = checked_alloc(p.batch * n_vocab, sizeof *last);
    for (size_t b = 0; b < p.batch; b++)
        memcpy(last + b * n_vocab, logits + ((b + 1) * p.length - 1) * n_vocab,
               n_vocab * sizeof *last);
    only_tokens(hidden->data, p.mask, n, model->config.block.d_model);
    check_near("hidden_norm", hidden->data, "hidden_norm");
    check_near("att.1", weights[1]->data, "att.1");
    /* The last column of rows 0, 1 and 3 is a token. */
    const double *expected = golden(family, NULL, "last_logits", NULL);
    for (size_t b = 0; b < p.batch; b++) {
        if (p.mask[(b + 1) * p.length - 1])
            CHECK_CLOSE("the last logits", last + b * n_vocab, expected + b * n_vocab,
                        n_vocab, 1e-5);
    }
    tape_reset(&t);
    Tensor *loss = gpt2_loss(&t, model, &input, p.targets);
    check_near("the loss", loss->data, "loss");
    tape_backward(&t, loss);
    static const char *const names[] = {"wpe.weight", "h.0.attn.c_attn.bias",
                                        "ln_f.weight"};
    for (size_t i = 0; i < 3; i++) {
        char tensor[100];
        snprintf(tensor, sizeof tensor, "grad.%s", names[i]);
        check_near(tensor, params_find(&model->params, names[i])->grad, tensor);
    }
}

Test(padding, a_text_has_the_logits_that_it_has_alone, .timeout = 30) {
    Padded p = golden_batch();
    Gpt2 *model = tiny();
    size_t n_vocab = model->config.n_vocab;
    Tape t = tape_for_inference();
    Gpt2Input input = input_of(&p);
    const float *logits = gpt2_logits(&t, model, &input)->data;
    for (size_t b = 0; b < p.batch; b++) {
        Padded text = text_alone(&p, b);
        input = input_of(&text);
        const float *alone = gpt2_logits(&t, model, &input)->data;
        for (size_t i = 0, k = 0; i < p.length; i++) {
            size_t at = b * p.length + i;
            if (!p.mask[at]) continue;
            CHECK(memcmp(logits + at * n_vocab, alone + k++ * n_vocab,
                         n_vocab * sizeof *logits) == 0,
                  "row %zu: the logits of place %zu are not those of the text alone", b,
                  i);
        }
    }
}

static double *gradients(Gpt2 *model, const Padded *p, double *loss) {
    Tape t = tape_create(1);
    t.training = false; /* no dropout */
    params_zero_grad(&model->params);
    Gpt2Input input = input_of(p);
    Tensor *mean = gpt2_loss(&t, model, &input, p->targets);
    *loss = (double)mean->data[0];
    tape_backward(&t, mean);
    tape_free(&t);
    double *all = checked_alloc(params_count(&model->params), sizeof *all);
    for (size_t i = 0, n = 0; i < model->params.n; i++) {
        const Tensor *x = model->params.items[i].tensor;
        for (size_t k = 0; k < tensor_size(x); k++) all[n++] = (double)x->grad[k];
    }
    return all;
}

static size_t count_targets(const Padded *p) {
    size_t n = 0;
    for (size_t i = 0; i < p->batch * p->length; i++)
        n += p->targets[i] != IGNORE_TARGET;
    return n;
}

/* One step on the batch is a step on its texts, one after the other. */
Test(padding, gradients_are_those_of_the_texts_alone, .timeout = 30) {
    Padded p = golden_batch();
    Gpt2 *model = tiny();
    size_t n = params_count(&model->params);
    double *expected = checked_alloc(n, sizeof *expected), expected_loss = 0, loss;
    for (size_t b = 0; b < p.batch; b++) {
        Padded text = text_alone(&p, b);
        /* a hole is no end: what stands in front of it predicts nothing */
        for (size_t i = 0, k = 0; i < p.length; i++) {
            if (p.mask[b * p.length + i])
                text.targets[k++] = p.targets[b * p.length + i];
        }
        double share = (double)count_targets(&text) / (double)count_targets(&p);
        double *own = gradients(model, &text, &loss);
        for (size_t i = 0; i < n; i++) expected[i] += share * own[i];
        expected_loss += share * loss;
    }
    gradients(model, &p, &loss);
    CHECK(fabs(loss - expected_loss) < 1e-5, "the loss is %g, expected %g", loss,
          expected_loss);
    size_t at = 0;
    for (size_t i = 0; i < model->params.n; i++) {
        const Param *x = &model->params.items[i];
        CHECK_CLOSE(x->name, x->tensor->grad, expected + at, tensor_size(x->tensor),
                    1e-4);
        at += tensor_size(x->tensor);
    }
}

Test(padding, the_padding_token_is_no_matter, .timeout = 30) {
    Padded p = golden_batch();
    Gpt2 *model = tiny();
    double loss[2], *all[2];
    for (int i = 0; i < 2; i++) {
        all[i] = gradients(model, &p, &loss[i]);
        for (size_t k = 0; k < p.batch * p.length; k++) {
            if (!p.mask[k]) p.tokens[k] = 7;
        }
    }
    cr_assert_eq(memcmp(&loss[0], &loss[1], sizeof *loss), 0);
    for (size_t k = 0; k < params_count(&model->params); k++)
        cr_assert_eq(all[0][k], all[1][k], "a gradient depends on padding's token");
}

Test(padding, a_dump_with_a_mask, .timeout = 30) {
    Padded p = golden_batch();
    p.batch = 1; /* padding in front */
    Gpt2 *model = tiny();
    Gpt2Input input = input_of(&p);
    char *directory = new_directory(), *path = path_join(directory, "dump.safetensors");
    gpt2_dump(model, &input, NULL, false, path);
    SafeTensors dump = safetensors_open(path);
    const SafeTensor *x = safetensors_find(&dump, "att.1");
    double *got = checked_alloc(x->size, sizeof *got);
    safetensors_to_double(got, x);
    const double *expected = golden(family, NULL, "att.1", NULL);
    for (size_t i = 0; i < x->size; i++)
        CHECK(fabs(got[i] - expected[i]) < 1e-5, "att.1: %zu is %g, expected %g", i,
              got[i], expected[i]);
    safetensors_close(&dump);
    remove_tree(directory);
}

/* --dump: what its tensors have to do with each other. That those which PyTorch has are
 * PyTorch's is in layouts.c. */
#include "10-gpt2/dump.h"

#include "03-rmsnorm/norm.h"
#include "04-ffn-swiglu/gelu.h"
#include "10-gpt2/checkpoint.h"
#include "check/golden.h"
#include "check/remove_tree.h"
#include "dump_identities.h"

enum { LENGTH = 10, SHORT = 6 };

static SafeTensors dump_of(Gpt2 *model, const char *directory, size_t length) {
    const int *tokens = golden_int("tiny_gpt2/golden_f64", NULL, "tokens", NULL);
    char *path = path_join(directory, length == LENGTH ? "long" : "short");
    Gpt2Input row = {.tokens = tokens, .batch = 1, .length = length};
    gpt2_dump(model, &row, NULL, false, path);
    return safetensors_open(path);
}

static Gpt2 *tiny(void) {
    return gpt2_load(golden_path("tiny_gpt2"), PARAMS_INFER);
}

Test(dump, streams_branches_scores_and_weights_belong_together, .timeout = 10) {
    char *directory = new_directory();
    Gpt2 *model = tiny();
    SafeTensors dump = dump_of(model, directory, LENGTH);
    check_identities(&dump, model);
    safetensors_close(&dump);
    gpt2_free(model);
    remove_tree(directory);
}

/* What a block reads is its norm of the stream, and its units are GELU of what they
 * were. */
Test(dump, norms_and_units_are_what_the_kernels_make, .timeout = 10) {
    char *directory = new_directory();
    Gpt2 *model = tiny();
    SafeTensors dump = dump_of(model, directory, LENGTH);
    for (size_t l = 0; l < model->config.n_layer; l++) {
        Tape t = tape_for_inference();
        size_t shape[3];
        const Norm *norms[] = {&model->blocks[l].ln_1, &model->blocks[l].ln_2};
        const char *const from[] = {"hidden", "middle"}, *const to[] = {"ln_1", "ln_2"};
        for (size_t i = 0; i < 2; i++) {
            float *stream = dumped(&dump, from[i], l, shape);
            Tensor *x = tape_input(&t, 2, shape, stream), *y = norm(&t, norms[i], x);
            check_bytes(to[i], l, dumped(&dump, to[i], l, shape), y->data,
                        tensor_size(y));
        }
        float *up = dumped(&dump, "ffn_up", l, shape);
        gelu_tanh_forward(up, up, shape[0] * shape[1]);
        check_bytes("ffn_units is GELU of ffn_up", l,
                    dumped(&dump, "ffn_units", l, shape), up, shape[0] * shape[1]);
        tape_free(&t);
    }
    safetensors_close(&dump);
    gpt2_free(model);
    remove_tree(directory);
}

/* Both ends: hidden.0 is the sum of two rows, and the logits are the head's of
 * hidden_norm. */
Test(dump, both_ends, .timeout = 10) {
    char *directory = new_directory();
    Gpt2 *model = tiny();
    SafeTensors dump = dump_of(model, directory, LENGTH);
    const float *token = safetensors_find(&dump, "token")->data,
                *position = safetensors_find(&dump, "position")->data,
                *hidden = safetensors_find(&dump, "hidden.0")->data,
                *last = safetensors_find(&dump, "hidden_norm")->data;
    size_t n = safetensors_find(&dump, "token")->size, vocab = model->config.n_vocab;
    for (size_t i = 0; i < n; i++) {
        CHECK(token[i] + position[i] == hidden[i],
              "hidden.0[%zu] is %g, the rows %g + %g", i, (double)hidden[i],
              (double)token[i], (double)position[i]);
    }
    float *logits = checked_alloc(LENGTH * vocab, sizeof *logits);
    gpt2_head_rows(logits, model, last, LENGTH);
    check_bytes("logits", 0, safetensors_find(&dump, "logits")->data, logits,
                LENGTH * vocab);
    safetensors_close(&dump);
    gpt2_free(model);
    remove_tree(directory);
}

/* A token does not know what comes behind it: the dump of a text has that of each of
 * its beginnings in it. */
Test(dump, a_beginning_has_the_same_rows, .timeout = 10) {
    char *directory = new_directory();
    Gpt2 *model = tiny();
    SafeTensors all = dump_of(model, directory, LENGTH),
                some = dump_of(model, directory, SHORT);
    CHECK(all.count == some.count, "%zu tensors and %zu", all.count, some.count);
    for (size_t i = 0; i < some.count; i++) {
        const SafeTensor *a = &all.tensors[i], *b = &some.tensors[i];
        if (b->ndim != 2) continue;
        CHECK(memcmp(a->data, b->data, b->bytes) == 0,
              "the first %d rows of %s depend on what comes behind", SHORT, b->name);
    }
    safetensors_close(&all);
    safetensors_close(&some);
    gpt2_free(model);
    remove_tree(directory);
}

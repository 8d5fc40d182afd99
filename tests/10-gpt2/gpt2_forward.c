/* Tests of exercise 10/gpt2_forward: the tiny GPT-2 of tests/golden, computed by
 * PyTorch in float64. */
#include "10-gpt2/gpt2_forward.h"

#include <stdio.h>
#include <stdlib.h>

#include "10-gpt2/checkpoint.h"
#include "check/check.h"
#include "check/golden.h"
#include "tensor/gradcheck.h"
#include "base/memory.h"

typedef struct {
    Gpt2 *model;
    Tape tape;
    Gpt2Input input;
    int *targets;
    Tensor **hidden;
} Case;

/* The model of the directory on the golden tokens [B, T + 1], split into inputs and
 * targets. */
static Case make_case(const char *directory, const char *family, ParamsMode mode) {
    Case c = {.model = gpt2_load(golden_path(directory), mode), .tape = tape_create(1)};
    size_t shape[SAFETENSORS_MAX_NDIM];
    golden_shape(family, NULL, "tokens", shape);
    int *tokens = golden_int(family, NULL, "tokens", NULL);
    size_t batch = shape[0], length = shape[1] - 1;
    int *inputs = checked_alloc(batch * length, sizeof *inputs),
        *positions = checked_alloc(batch * length, sizeof *positions);
    c.targets = checked_alloc(batch * length, sizeof *c.targets);
    for (size_t i = 0; i < batch * length; i++) {
        inputs[i] = tokens[i / length * (length + 1) + i % length];
        c.targets[i] = tokens[i / length * (length + 1) + i % length + 1];
        positions[i] = (int)(i % length);
    }
    c.hidden = checked_alloc(c.model->config.n_layer + 1, sizeof *c.hidden);
    c.tape.training = false; /* no dropout */
    c.input = (Gpt2Input){.tokens = inputs,
                          .batch = batch,
                          .length = length,
                          .positions = positions,
                          .hidden = c.hidden};
    return c;
}

static const char *const directories[] = {"tiny_gpt2", "tiny_gpt2_variant"};
static const char *const families[] = {"tiny_gpt2/golden_f64",
                                       "tiny_gpt2_variant/golden_f64"};

/* Of the hidden states; see known.h. */
static void know_axes(const Case *c, size_t dim) {
    AXES({"sample", "batch", c->input.batch}, {"time", "length", c->input.length},
         {"feature", "d_model", dim});
}

/* wte[token] alone. */
static double *words_alone(const Case *c, size_t size, size_t dim) {
    double *words = checked_alloc(size, sizeof *words);
    for (size_t i = 0; i < size; i++)
        words[i] =
            (double)
                c->model->wte->data[(size_t)c->input.tokens[i / dim] * dim + i % dim];
    return words;
}

Test(gpt2_forward, embeddings, .timeout = 20) {
    Case c = make_case("tiny_gpt2", families[0], PARAMS_INFER);
    gpt2_forward(&c.tape, c.model, &c.input);
    const Tensor *x = c.hidden[0];
    CHECK(x != NULL,
          "input->hidden[0] is not filled: it should be the sum of the embeddings");
    CHECK(x->ndim == 3 && x->shape[0] == c.input.batch && x->shape[1] == c.input.length,
          "hidden[0] is not [batch, length, d_model], but [%zu, %zu, ...]", x->shape[0],
          x->shape[1]);
    size_t size = tensor_size(x), dim = tensor_cols(x);
    double *no_positions = words_alone(&c, size, dim),
           *constant = checked_alloc(size, sizeof *constant);
    for (size_t i = 0; i < size; i++)
        constant[i] = no_positions[i] + (double)c.model->wpe->data[i % dim];
    double *positions = as_double(c.model->wpe->data, c.input.length * dim);
    know_axes(&c, dim);
    KNOW_AS("wte[token]", no_positions, "sample time feature");
    KNOW_AS("wpe[position]", positions, "time feature");
    CHECK_CLOSE("hidden[0]", x->data, golden(families[0], NULL, "hidden.0", NULL), size,
                1e-6, {"the positions are not added", no_positions},
                {"every token has position 0", constant});
}

/* wte[token] + wpe[position], with the positions as given, or counted from 0 in each
 * row. */
static double *sum_of_tables(const Case *c, bool given) {
    size_t dim = c->model->config.block.d_model,
           size = c->input.batch * c->input.length * dim;
    double *sum = checked_alloc(size, sizeof *sum);
    for (size_t i = 0; i < size; i++) {
        size_t place = i / dim, counted = place % c->input.length,
               position = given ? (size_t)c->input.positions[place] : counted;
        sum[i] =
            (double)
                c->model->wte->data[(size_t)c->input.tokens[place] * dim + i % dim] +
            (double)c->model->wpe->data[position * dim + i % dim];
    }
    return sum;
}

/* Behind a cache the first position is not 0, and a row may have any. */
Test(gpt2_forward, positions_as_they_are_given, .timeout = 20) {
    Case c = make_case("tiny_gpt2", families[0], PARAMS_INFER);
    size_t n = c.input.batch * c.input.length;
    int *positions = checked_alloc(n, sizeof *positions);
    for (size_t i = 0; i < n; i++)
        positions[i] = (int)((3 * i + 2) % c.model->config.n_ctx);
    c.input.positions = positions;
    gpt2_forward(&c.tape, c.model, &c.input);
    CHECK(c.hidden[0] != NULL,
          "input->hidden[0] is not filled: it should be the sum of the embeddings");
    know_axes(&c, tensor_cols(c.hidden[0]));
    CHECK_CLOSE("hidden[0]", c.hidden[0]->data, sum_of_tables(&c, true),
                tensor_size(c.hidden[0]), 1e-6,
                {"the positions are counted from 0: take input->positions",
                 sum_of_tables(&c, false)});
}

/* A table that is not learned is a table: only where there is none is nothing added. */
Test(gpt2_forward, positions_of_sinusoids, .timeout = 20) {
    Case c = make_case("tiny_gpt2", families[0], PARAMS_INFER);
    c.model->config.positions = POSITIONS_SINUSOIDAL;
    gpt2_forward(&c.tape, c.model, &c.input);
    CHECK(c.hidden[0] != NULL,
          "input->hidden[0] is not filled: it should be the sum of the embeddings");
    size_t size = tensor_size(c.hidden[0]), dim = tensor_cols(c.hidden[0]);
    know_axes(&c, dim);
    CHECK_CLOSE("hidden[0]", c.hidden[0]->data, sum_of_tables(&c, true), size, 1e-6,
                {"wpe is added only where it is learned: it may hold sinusoids",
                 words_alone(&c, size, dim)});
}

/* A golden hidden state, on the tape. */
static Tensor *state_of(Case *c, const char *family, const char *name) {
    size_t shape[] = {c->input.batch, c->input.length, c->model->config.block.d_model};
    return tape_input(&c->tape, 3, shape, golden_float(family, NULL, name, NULL));
}

/* The output of block `which` for the golden hidden state `from`, with the attention of
 * block `attends`. */
static const double *block_of(Case *c, size_t which, size_t attends, const char *family,
                              size_t from) {
    char name[32];
    snprintf(name, sizeof name, "hidden.%zu", from);
    Tensor *x = state_of(c, family, name);
    const Block *block = &c->model->blocks[which];
    Layer attention = attention_layer(&c->model->blocks[attends].attn);
    return as_double(block_forward(&c->tape, block, attention, x)->data,
                     tensor_size(x));
}

/* ln_f of a golden state. */
static const double *normed(Case *c, const char *family, const char *name) {
    Tensor *x = state_of(c, family, name);
    return as_double(norm(&c->tape, &c->model->ln_f, x)->data, tensor_size(x));
}

Test(gpt2_forward, hidden_states, .timeout = 20) {
    for (size_t i = 0; i < 2; i++) {
        Case c = make_case(directories[i], families[i], PARAMS_INFER);
        gpt2_forward(&c.tape, c.model, &c.input);
        for (size_t l = 1; l <= c.model->config.n_layer; l++) {
            char name[32], before[32];
            snprintf(name, sizeof name, "hidden.%zu", l);
            snprintf(before, sizeof before, "hidden.%zu", l - 1);
            CHECK(c.hidden[l] != NULL,
                  "input->hidden[%zu] is not filled: it should be the output of block "
                  "%zu",
                  l, l - 1);
            know_axes(&c, tensor_cols(c.hidden[l]));
            KNOW_AS("the state before", golden(families[i], NULL, before, NULL),
                    "sample time feature");
            CHECK_CLOSE(
                name, c.hidden[l]->data, golden(families[i], NULL, name, NULL),
                tensor_size(c.hidden[l]), 1e-5,
                {"a block is left out, or the state is kept before its block has run",
                 golden(families[i], NULL, before, NULL)},
                {"block 0 stands in its place", block_of(&c, 0, 0, families[i], l - 1)},
                {"it reads the embeddings again",
                 block_of(&c, l - 1, l - 1, families[i], 0)},
                {"block 0's attention runs in it: each block has its own",
                 block_of(&c, l - 1, 0, families[i], l - 1)},
                {"ln_f is applied to it: the last state is what the last block gives",
                 normed(&c, families[i], name)});
        }
    }
}

Test(gpt2_forward, final_norm, .timeout = 20) {
    for (size_t i = 0; i < 2; i++) {
        Case c = make_case(directories[i], families[i], PARAMS_INFER);
        Tensor *out = gpt2_forward(&c.tape, c.model, &c.input);
        char last[32];
        snprintf(last, sizeof last, "hidden.%zu", c.model->config.n_layer);
        know_axes(&c, tensor_cols(out));
        KNOW_AS("the last state", golden(families[i], NULL, last, NULL),
                "sample time feature");
        CHECK_CLOSE(
            "the result", out->data, golden(families[i], NULL, "hidden_norm", NULL),
            tensor_size(out), 1e-5,
            {"the final norm ln_f is left out", golden(families[i], NULL, last, NULL)},
            {"ln_f is applied twice", normed(&c, families[i], "hidden_norm")});
    }
}

Test(gpt2_forward, logits_and_loss, .timeout = 20) {
    for (size_t i = 0; i < 2; i++) {
        Case c = make_case(directories[i], families[i], PARAMS_INFER);
        Tensor *logits = gpt2_logits(&c.tape, c.model, &c.input);
        CHECK_CLOSE("logits", logits->data, golden(families[i], NULL, "logits", NULL),
                    tensor_size(logits), 1e-5);
        float loss = gpt2_loss(&c.tape, c.model, &c.input, c.targets)->data[0];
        CHECK_NUMBER("loss", loss, golden(families[i], NULL, "loss", NULL)[0], 1e-5);
    }
}

Test(gpt2_forward, every_gradient, .timeout = 20) {
    for (size_t i = 0; i < 2; i++) {
        Case c = make_case(directories[i], families[i], PARAMS_TRAIN);
        tape_backward(&c.tape, gpt2_loss(&c.tape, c.model, &c.input, c.targets));
        for (size_t p = 0; p < c.model->params.n; p++) {
            char name[300];
            const Tensor *x = c.model->params.items[p].tensor;
            snprintf(name, sizeof name, "grad.%s", c.model->params.items[p].name);
            CHECK_CLOSE(name, x->grad, golden(families[i], NULL, name, NULL),
                        tensor_size(x), 1e-5);
        }
    }
}

static Tensor *nothing(Tape *t, const void *self, Tensor *x) {
    (void)self;
    return tape_scale(t, x, 0.0f);
}

/* A cache comes in through input->attention: it must be used, or chapter 13 does
 * nothing. */
Test(gpt2_forward, uses_the_attention_it_is_given, .timeout = 20) {
    Case c = make_case("tiny_gpt2", families[0], PARAMS_INFER);
    float *own = gpt2_forward(&c.tape, c.model, &c.input)->data;
    Layer layers[2] = {{nothing, NULL}, {nothing, NULL}};
    c.input.attention = layers;
    Tensor *out = gpt2_forward(&c.tape, c.model, &c.input);
    double distance = relative_difference(out->data, as_double(own, tensor_size(out)),
                                          tensor_size(out));
    CHECK(distance > 0.01, "input->attention is ignored: with attention that gives 0 "
                           "the result is still the same");
}

/* Which layers were called, in order. */
enum { MANY = 5003 };
static int called[MANY];
static size_t n_called;

static Tensor *note(Tape *t, const void *self, Tensor *x) {
    (void)t;
    if (n_called < MANY) called[n_called] = *(const int *)self;
    n_called++;
    return x;
}

/* A model of many blocks, all of them alike but for the attention that they are
 * given. */
Test(gpt2_forward, every_block_with_its_own_attention, .timeout = 20) {
    Case c = make_case("tiny_gpt2", families[0], PARAMS_INFER);
    Gpt2 many = *c.model;
    many.config.n_layer = MANY;
    many.blocks = checked_alloc(MANY, sizeof *many.blocks);
    static int numbers[MANY];
    Layer *layers = guarded_alloc(MANY, sizeof *layers);
    for (int l = 0; l < MANY; l++) {
        many.blocks[l] = c.model->blocks[0];
        numbers[l] = l;
        layers[l] = (Layer){note, &numbers[l]};
    }
    Gpt2Input input = {
        .tokens = (int[]){1}, .batch = 1, .length = 1, .positions = (int[]){0}};
    input.attention = layers;
    crash_means("input->attention is read behind its last layer");
    gpt2_forward(&c.tape, &many, &input);
    CHECK(n_called == MANY, "of %d blocks %zu ask their attention", MANY, n_called);
    for (int l = 0; l < MANY; l++)
        CHECK(called[l] == l, "block %d asks input->attention[%d], expected [%d]", l,
              called[l], l);
}

Test(gpt2_forward, dropout_of_the_embeddings, .timeout = 20) {
    Case c = make_case("tiny_gpt2", families[0], PARAMS_INFER);
    c.model->config.embd_dropout = 0.5f;
    c.tape.training = true;
    gpt2_forward(&c.tape, c.model, &c.input);
    size_t zeros = 0, only_position = 0, only_token = 0,
           size = tensor_size(c.hidden[0]), dim = tensor_cols(c.hidden[0]);
    for (size_t i = 0; i < size; i++) {
        float got = c.hidden[0]->data[i],
              token =
                  c.model->wte->data[(size_t)c.input.tokens[i / dim] * dim + i % dim],
              position = c.model->wpe
                             ->data[(size_t)c.input.positions[i / dim] * dim + i % dim];
        zeros += got == 0.0f;
        only_position += got == position;
        only_token += got == token;
    }
    size_t alone = only_position > only_token ? only_position : only_token;
    const char *which = only_position > only_token ? "position's" : "token's";
    CHECK(alone < size / 5,
          "with embd_dropout 0.5 in training mode %zu of %zu elements of hidden[0] are "
          "the %s embedding "
          "alone: drop the sum, after the positions are added",
          alone, size, which);
    CHECK(zeros > size * 2 / 5 && zeros < size * 3 / 5,
          "with embd_dropout 0.5 in training mode %zu of %zu elements of hidden[0] are "
          "zero, expected about "
          "half",
          zeros, size);
}

/* Without hidden states, and for a model without positions, the result is the same. */
Test(gpt2_forward, what_may_be_null, .timeout = 20) {
    Case c = make_case("tiny_gpt2", families[0], PARAMS_INFER);
    const Tensor *asked = gpt2_forward(&c.tape, c.model, &c.input);
    const double *expected = as_double(asked->data, tensor_size(asked));
    c.input.hidden = NULL;
    crash_means("input->hidden is filled though it is NULL");
    const Tensor *x = gpt2_forward(&c.tape, c.model, &c.input);
    CHECK_CLOSE("the result without hidden", x->data, expected, tensor_size(x), 1e-7);

    Gpt2 without = *c.model;
    without.wpe = NULL;
    c.input.hidden = c.hidden;
    crash_means("the positions are looked up though model->wpe is NULL");
    gpt2_forward(&c.tape, &without, &c.input);
    size_t size = tensor_size(c.hidden[0]), dim = tensor_cols(c.hidden[0]);
    CHECK_CLOSE("hidden[0] without positions", c.hidden[0]->data,
                words_alone(&c, size, dim), size, 1e-7);
}

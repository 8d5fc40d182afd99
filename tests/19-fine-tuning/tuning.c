/* Tests of fine-tuning, and of LoRA in a whole model. */
#include "19-fine-tuning/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "check/check.h"
#include "check/dies.h"
#include "kernels/threads.h"

typedef struct {
    Gpt2 *model;
    Stories text[2];
    float *start; /* its numbers */
} Case;

static float *numbers_of(const Gpt2 *model) {
    float *all = checked_alloc(params_count(&model->params), sizeof *all);
    size_t at = 0;
    for (size_t i = 0; i < model->params.n; i++) {
        const Tensor *x = model->params.items[i].tensor;
        memcpy(all + at, x->data, tensor_size(x) * sizeof *all);
        at += tensor_size(x);
    }
    return all;
}

static Case begin(void) {
    Tokenizer *bytes = tokenizer_bytes();
    Case c;
    for (size_t l = 0; l < 2; l++) c.text[l] = stories_create(bytes, l + 1, 2000, l);
    Gpt2Config config = gpt2_config(tokenizer_n_vocab(bytes), 200, 2, 2, 16);
    Random init = random_stream(1, 1);
    c.model = gpt2_create(&config, PARAMS_TRAIN, &init);
    c.start = numbers_of(c.model);
    tokenizer_free(bytes);
    return c;
}

static void end(Case *c) {
    for (size_t l = 0; l < 2; l++) stories_free(&c->text[l]);
    gpt2_free(c->model);
    free(c->start);
}

/* The model's numbers after a few steps. */
static float *tuned(const TuningSettings *settings) {
    Case c = begin();
    Tuning t = tuning_create(settings, c.model, &c.text[0], &c.text[1]);
    while (t.step < settings->steps) tuning_step(&t);
    float *numbers = numbers_of(c.model);
    tuning_free(&t);
    end(&c);
    return numbers;
}

static size_t count(void) {
    Case c = begin();
    size_t n = params_count(&c.model->params);
    end(&c);
    return n;
}

static const TuningSettings few = {.seed = 7, .steps = 3, .batch = 4, .replay = 0.5};

Test(tuning, same_bytes_with_any_threads, .timeout = 60) {
    size_t bytes = count() * sizeof(float);
    for (size_t rank = 0; rank <= 3; rank += 3) {
        TuningSettings s = few;
        s.rank = rank;
        threads_use(1);
        float *one = tuned(&s);
        for (size_t threads = 2; threads <= 3; threads++) {
            threads_use(threads);
            float *more = tuned(&s);
            CHECK(memcmp(one, more, bytes) == 0, "rank %zu, %zu threads: other bytes",
                  rank, threads);
            free(more);
        }
        free(one);
    }
}

Test(tuning, seed_replay_and_mask_count, .timeout = 60) {
    size_t bytes = count() * sizeof(float);
    TuningSettings other[] = {few, few, few, few};
    other[0].seed++;
    other[1].replay = 0;
    other[2].answers_only = true;
    other[3].rate = 2e-3;
    float *as_they_are = tuned(&few);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        float *numbers = tuned(&other[i]);
        CHECK(memcmp(as_they_are, numbers, bytes) != 0, "setting %zu changes nothing",
              i);
        free(numbers);
    }
    free(as_they_are);
}

/* Rows of the last batch that begin as an old story does: its twin has another name. */
Test(tuning, share_of_old_stories, .timeout = 60) {
    Case c = begin();
    TuningSettings s = {.seed = 3, .steps = 60, .batch = 16, .replay = 0.25};
    Tuning t = tuning_create(&s, c.model, &c.text[0], &c.text[1]);
    size_t old = 0;
    while (t.step < s.steps) {
        tuning_step(&t);
        for (size_t row = 0; row < s.batch; row++) {
            const int *tokens = t.inputs + row * t.length;
            for (size_t i = 0; i < c.text[0].n; i++) {
                const int *story = c.text[0].tokens + c.text[0].starts[i];
                if (memcmp(tokens, story, 20 * sizeof *story) == 0) {
                    old++;
                    break;
                }
            }
        }
    }
    double share = (double)old / (double)(s.steps * s.batch);
    CHECK(fabs(share - 0.25) < 0.05, "a share of %.3f is old, expected 0.25", share);
    tuning_free(&t);
    end(&c);
}

/* --- LoRA --- */

static bool in_block(const Param *p) {
    return p->tensor->ndim == 2 && strncmp(p->name, "h.", 2) == 0;
}

Test(tuning, adapters_change_the_blocks_matrices_alone, .timeout = 60) {
    Case c = begin();
    TuningSettings s = few;
    s.rank = 2;
    Tuning t = tuning_create(&s, c.model, &c.text[0], &c.text[1]);
    float *now = numbers_of(c.model);
    size_t bytes = params_count(&c.model->params) * sizeof *now, trained = 0, at = 0;
    CHECK(memcmp(now, c.start, bytes) == 0, "the model is changed before a step");
    free(now);
    while (t.step < s.steps) tuning_step(&t);
    now = numbers_of(c.model);
    for (size_t i = 0; i < c.model->params.n; i++) {
        const Param *p = &c.model->params.items[i];
        size_t n = tensor_size(p->tensor);
        bool same = memcmp(now + at, c.start + at, n * sizeof *now) == 0;
        CHECK(same != in_block(p), "'%s' %s", p->name, same ? "stayed" : "changed");
        if (in_block(p))
            trained += s.rank * (p->tensor->shape[0] + p->tensor->shape[1]);
        at += n;
    }
    CHECK(t.optimizer.n == trained, "%zu numbers are trained, expected %zu",
          t.optimizer.n, trained);
    for (size_t i = 0; i < t.adapters.n; i++) {
        Tensor *b = t.adapters.items[i].b;
        memset(b->data, 0, tensor_size(b) * sizeof *b->data);
    }
    adapters_merge(&t.adapters);
    free(now);
    now = numbers_of(c.model);
    CHECK(memcmp(now, c.start, bytes) == 0, "without b, the model has other bits");
    free(now);
    tuning_free(&t);
    end(&c);
}

/* Those of attention, and one by its own name. */
Test(tuning, only_the_matrices_that_are_named, .timeout = 60) {
    Case c = begin();
    TuningSettings s = few;
    s.rank = 2;
    s.matrices = "attn,c_fc";
    Tuning t = tuning_create(&s, c.model, &c.text[0], &c.text[1]);
    while (t.step < s.steps) tuning_step(&t);
    float *now = numbers_of(c.model);
    for (size_t i = 0, at = 0; i < c.model->params.n; i++) {
        const Param *p = &c.model->params.items[i];
        size_t n = tensor_size(p->tensor);
        bool same = memcmp(now + at, c.start + at, n * sizeof *now) == 0,
             named = in_block(p) && !strstr(p->name, "mlp.c_proj");
        CHECK(same != named, "'%s' %s", p->name, same ? "stayed" : "changed");
        at += n;
    }
    free(now);
    tuning_free(&t);
    end(&c);
}

/* The loss of a batch with one number of a or b moved. */
static double loss_at(Tuning *t, float *number, float by) {
    float was = *number;
    *number += by;
    adapters_merge(&t->adapters);
    tape_reset(&t->tape);
    Gpt2Input input = {.tokens = t->inputs, .batch = 4, .length = t->length};
    double loss = (double)gpt2_loss(&t->tape, t->model, &input, t->targets)->data[0];
    *number = was;
    return loss;
}

Test(tuning, gradients_of_adapters, .timeout = 60) {
    Case c = begin();
    TuningSettings s = few;
    s.rank = 2;
    Tuning t = tuning_create(&s, c.model, &c.text[0], &c.text[1]);
    while (t.step < s.steps) tuning_step(&t);
    params_zero_grad(&c.model->params);
    tape_reset(&t.tape);
    Gpt2Input input = {.tokens = t.inputs, .batch = s.batch, .length = t.length};
    tape_backward(&t.tape, gpt2_loss(&t.tape, c.model, &input, t.targets));
    adapters_backward(&t.adapters);
    const float step = 1e-2f;
    for (size_t i = 0; i < t.adapters.params.n; i++) {
        Tensor *x = t.adapters.params.items[i].tensor;
        double slope = loss_at(&t, &x->data[1], step) - loss_at(&t, &x->data[1], -step);
        slope /= 2 * (double)step;
        CHECK(fabs(slope - (double)x->grad[1]) < 2e-3 + 0.05 * fabs(slope),
              "'%s': gradient %g, measured %g", t.adapters.params.items[i].name,
              (double)x->grad[1], slope);
    }
    tuning_free(&t);
    end(&c);
}

/* --- windows of texts --- */

/* A text of n tokens, first, first + 1 ... and the same for validation. */
static Dataset counting(int first, size_t n) {
    Dataset d = {0};
    TokenText *const parts[] = {&d.train, &d.validation};
    for (size_t p = 0; p < 2; p++) {
        parts[p]->tokens = checked_alloc(n, sizeof(int));
        parts[p]->n = n;
        for (size_t i = 0; i < n; i++) parts[p]->tokens[i] = first + (int)i;
    }
    return d;
}

/* Rows are windows of either text, at many places, the targets one token on. */
Test(tuning, windows_of_two_texts, .timeout = 60) {
    enum { N = 100, LENGTH = 8, STEPS = 40 };
    Case c = begin();
    Dataset old_text = counting(0, N), new_text = counting(N, N);
    TuningSettings s = {.seed = 3, .steps = STEPS, .batch = 16, .replay = 0.25};
    Tuning t = tuning_create_windows(&s, c.model, &old_text, &new_text, LENGTH);
    size_t old = 0, places[2 * N] = {0}, seen = 0;
    while (t.step < STEPS) {
        tuning_step(&t);
        for (size_t row = 0; row < s.batch; row++) {
            const int *in = t.inputs + row * LENGTH, *out = t.targets + row * LENGTH;
            old += in[0] < N;
            seen += places[in[0]]++ == 0;
            for (size_t i = 0; i < LENGTH; i++)
                CHECK(in[i] == in[0] + (int)i && out[i] == in[i] + 1,
                      "row %zu is no window, or its targets are others", row);
        }
    }
    double share = (double)old / (double)(STEPS * s.batch);
    CHECK(fabs(share - 0.25) < 0.06, "a share of %.3f is old, expected 0.25", share);
    CHECK(seen > 150, "windows begin at %zu places alone", seen);
    tuning_free(&t);
    dataset_free(&old_text);
    dataset_free(&new_text);
    end(&c);
}

/* As many windows as asked for, beside -ln p token by token. */
Test(tuning, loss_of_a_text, .timeout = 60) {
    enum { N = 50, LENGTH = 8, WINDOWS = 3 };
    Case c = begin();
    Dataset text = counting(20, N);
    Tuning t = tuning_create_windows(&few, c.model, NULL, &text, LENGTH);
    double sum = 0;
    for (int w = 0; w < WINDOWS; w++) {
        tape_reset(&t.tape);
        Gpt2Input input = {.tokens = text.validation.tokens + w * LENGTH,
                           .batch = 1,
                           .length = LENGTH};
        const float *logits = gpt2_logits(&t.tape, c.model, &input)->data;
        for (int i = 0; i < LENGTH; i++, logits += c.model->config.n_vocab) {
            double all = 0;
            for (size_t v = 0; v < c.model->config.n_vocab; v++)
                all += exp((double)logits[v]);
            sum += log(all) - (double)logits[20 + w * LENGTH + i + 1];
        }
    }
    CHECK_NUMBER("loss", tuning_text_loss(&t, &text, WINDOWS), sum / (WINDOWS * LENGTH),
                 1e-5);
    tuning_free(&t);
    dataset_free(&text);
    end(&c);
}

/* --- refusals --- */

static void create_with_matrices(void *matrices) {
    Case c = begin();
    TuningSettings s = few;
    s.rank = 2;
    s.matrices = matrices;
    tuning_create(&s, c.model, &c.text[0], &c.text[1]);
}

static void create_with_rank(void *rank) {
    Case c = begin();
    TuningSettings s = few;
    s.rank = *(size_t *)rank;
    tuning_create(&s, c.model, &c.text[0], &c.text[1]);
}

static void create_with_short_context(void *unused) {
    (void)unused;
    Case c = begin();
    c.model->config.n_ctx = 100;
    tuning_create(&few, c.model, &c.text[0], &c.text[1]);
}

static void step_with_infinite_gradients(void *unused) {
    (void)unused;
    Case c = begin();
    c.model->params.items[0].tensor->data[0] = INFINITY;
    Tuning t = tuning_create(&few, c.model, &c.text[0], &c.text[1]);
    for (size_t i = 0; i < few.steps; i++) tuning_step(&t);
}

Test(tuning, refusals, .timeout = 60) {
    expect_exit(1, "rank 17: 'h.0.attn.c_attn.weight' is [16, 48]; at most 16",
                create_with_rank, &(size_t){17});
    expect_exit(1, "'query': no matrix of a block is called so", create_with_matrices,
                "attn,query");
    expect_exit(1, "step 1: the gradients are not finite", step_with_infinite_gradients,
                NULL);
    expect_exit(1, "and the model's context is 100", create_with_short_context, NULL);
}

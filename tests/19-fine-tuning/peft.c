/* Tests of adapters as files: those of PEFT give its logits and PyTorch's gradients,
 * and ours are what PEFT would have written. */
#include "19-fine-tuning/peft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "18-llama/llama_load.h"
#include "base/memory.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/golden.h"
#include "check/remove_tree.h"
#include "checkpoints/safetensors.h"
#include "files/json.h"

TestSuite(peft, .init = scratch_begin, .fini = scratch_end);

/* A model, PEFT's adapter of it, and what it computes. */
typedef struct {
    const char *base, *adapter, *family;
    size_t rank; /* of the adapter */
} Case;

static const Case gpt2 = {"tiny_gpt2", "adapters/gpt2", "adapters/gpt2/golden", 2},
                  llama = {"llama/smol", "adapters/llama", "adapters/llama/golden", 3};
static const Case *const cases[] = {&gpt2, &llama};
enum { CASES = sizeof cases / sizeof *cases };

static Gpt2 *base_of(const Case *c) {
    Gpt2 *model = llama_load(golden_path(c->base), PARAMS_TRAIN);
    gpt2_set_dropout(model, 0);
    return model;
}

static char *adapter_of(const Case *c) {
    return checked_strdup(golden_path(c->adapter));
}

static void save(const Adapters *adapters, const Gpt2 *model, const char *path) {
    Directory *d = directory_open(path);
    peft_save(adapters, model, "base", d);
    directory_close(d);
}

/* --- PEFT's, read --- */

Test(peft, logits_of_peft, .timeout = 60) {
    for (size_t i = 0; i < CASES; i++) {
        const Case *c = cases[i];
        Gpt2 *model = base_of(c);
        Adapters adapters = peft_load(model, adapter_of(c));
        adapters_merge(&adapters);
        size_t n, n_logits;
        const int *tokens = golden_int(c->family, NULL, "tokens", &n);
        const double *logits = golden(c->family, NULL, "logits", &n_logits);
        Tape tape = tape_for_inference();
        Gpt2Input input = {.tokens = tokens, .batch = 1, .length = n};
        CHECK_CLOSE(c->base, gpt2_logits(&tape, model, &input)->data, logits, n_logits,
                    1e-5);
        tape_free(&tape);
        adapters_free(&adapters);
        gpt2_free(model);
    }
}

/* PyTorch's gradients of PEFT's lora_A [rank, n_in] and lora_B [n_out, rank] of a
 * module; here they are from row `at` of b on, and from its column `first`. */
typedef struct {
    const char *module;
    size_t at, first, n_out;
} Place;

static void check_gradients(const Case *c, const Adapter *x, const Place *p) {
    char name[200];
    snprintf(name, sizeof name, "grad.base_model.model.%s.lora_A.weight", p->module);
    const double *da = golden(c->family, NULL, name, NULL);
    size_t all = x->shape.rank, n_in = x->shape.n_in, n_out = x->shape.n_out;
    float *got = nan_floats(c->rank * (n_in > p->n_out ? n_in : p->n_out));
    for (size_t k = 0; k < c->rank; k++) {
        for (size_t i = 0; i < n_in; i++)
            got[k * n_in + i] = x->a->grad[i * all + p->at + k];
    }
    CHECK_CLOSE(name, got, da, c->rank * n_in, 1e-4);
    snprintf(name, sizeof name, "grad.base_model.model.%s.lora_B.weight", p->module);
    const double *db = golden(c->family, NULL, name, NULL);
    for (size_t j = 0; j < p->n_out; j++) {
        for (size_t k = 0; k < c->rank; k++)
            got[j * c->rank + k] = x->b->grad[(p->at + k) * n_out + p->first + j];
    }
    CHECK_CLOSE(name, got, db, c->rank * p->n_out, 1e-4);
    free(got);
}

static const Adapter *named(const Adapters *adapters, const char *name) {
    for (size_t i = 0; i < adapters->n; i++) {
        if (strcmp(adapters->items[i].param->name, name) == 0)
            return &adapters->items[i];
    }
    CHECK(false, "there is no change of '%s'", name);
    return NULL;
}

static void check_case(const Case *c, const char *const params[], const Place *places,
                       size_t n_places) {
    Gpt2 *model = base_of(c);
    Adapters adapters = peft_load(model, adapter_of(c));
    adapters_merge(&adapters);
    size_t n;
    const int *tokens = golden_int(c->family, NULL, "tokens", &n);
    int *targets = checked_alloc(n, sizeof *targets);
    next_tokens(targets, tokens, NULL, 1, n);
    Tape tape = tape_for_training(1);
    Gpt2Input input = {.tokens = tokens, .batch = 1, .length = n};
    Tensor *loss = gpt2_loss(&tape, model, &input, targets);
    CHECK_NUMBER("loss", loss->data[0], *golden(c->family, NULL, "loss", NULL), 1e-5);
    tape_backward(&tape, loss);
    adapters_backward(&adapters);
    for (size_t i = 0; i < n_places; i++)
        check_gradients(c, named(&adapters, params[i]), &places[i]);
    tape_free(&tape);
    free(targets);
    adapters_free(&adapters);
    gpt2_free(model);
}

Test(peft, gradients_of_pytorch, .timeout = 60) {
    check_case(&gpt2,
               (const char *[]){"h.0.attn.c_attn.weight", "h.1.mlp.c_proj.weight"},
               (Place[]){{"transformer.h.0.attn.c_attn", 0, 0, 96},
                         {"transformer.h.1.mlp.c_proj", 0, 0, 32}},
               2);
    /* q | v are one change here: v's rows are behind q's, its columns behind k's */
    check_case(&llama,
               (const char *[]){"h.0.attn.c_attn.weight", "h.1.attn.c_attn.weight",
                                "h.3.mlp.c_proj.weight"},
               (Place[]){{"model.layers.0.self_attn.q_proj", 0, 0, 72},
                         {"model.layers.1.self_attn.v_proj", 3, 96, 24},
                         {"model.layers.3.mlp.down_proj", 0, 0, 72}},
               3);
}

/* --- ours --- */

/* Names, shapes and numbers of PEFT's own file, and what its config says. */
Test(peft, saved_as_peft_saves, .timeout = 60) {
    Gpt2 *model = base_of(&gpt2);
    char *theirs = adapter_of(&gpt2);
    Adapters adapters = peft_load(model, theirs);
    save(&adapters, model, scratch);
    SafeTensors a = safetensors_open(path_join(theirs, "adapter_model.safetensors")),
                b = safetensors_open(path_join(scratch, "adapter_model.safetensors"));
    CHECK(a.count == b.count, "%zu tensors, expected %zu", b.count, a.count);
    for (size_t i = 0; i < a.count; i++) {
        const SafeTensor *x = &a.tensors[i], *y = &b.tensors[i];
        CHECK(strcmp(x->name, y->name) == 0 && x->ndim == 2 && y->ndim == 2 &&
                  memcmp(x->shape, y->shape, 2 * sizeof *x->shape) == 0 &&
                  memcmp(x->data, y->data, x->bytes) == 0,
              "'%s' is '%s' now, or has other numbers", x->name, y->name);
    }
    char *path = path_join(scratch, "adapter_config.json");
    cJSON *c = json_read_object(path);
    CHECK(json_size(c, path, "r", 0, 0, 9) == 2, "another rank");
    CHECK(json_number(c, path, "lora_alpha", 0, 0, 9) == 3, "another alpha");
    CHECK(json_bool(c, path, "fan_in_fan_out", false), "GPT-2's are [in, out]");
    CHECK(strcmp(json_text(c, path, "peft_type", ""), "LORA") == 0 &&
              strcmp(json_text(c, path, "task_type", ""), "CAUSAL_LM") == 0 &&
              strcmp(json_text(c, path, "bias", ""), "none") == 0,
          "PEFT would not read it");
    const cJSON *targets = cJSON_GetObjectItem(c, "target_modules");
    const char *const expected[] = {"attn.c_attn", "attn.c_proj", "mlp.c_fc",
                                    "mlp.c_proj"};
    CHECK(cJSON_GetArraySize(targets) == 4, "%d targets, expected 4",
          cJSON_GetArraySize(targets));
    for (int i = 0; i < 4; i++)
        CHECK(strcmp(cJSON_GetArrayItem(targets, i)->valuestring, expected[i]) == 0,
              "target %d is '%s'", i, cJSON_GetArrayItem(targets, i)->valuestring);
    cJSON_Delete(c);
    adapters_free(&adapters);
    gpt2_free(model);
}

/* A change of all matrices, in which nothing is 0. */
static Adapters changed(const Gpt2 *model, size_t rank) {
    Random random = random_create(4);
    const AdapterSettings settings = {.rank = rank, .scale = 2};
    Adapters adapters = adapters_create(model, &settings, &random);
    for (size_t i = 0; i < adapters.n; i++) {
        Tensor *b = adapters.items[i].b;
        random_fill_normal(&random, b->data, tensor_size(b), 0.1f);
    }
    return adapters;
}

static bool same_numbers(const Tensor *x, const Tensor *y) {
    return tensor_size(x) == tensor_size(y) &&
           memcmp(x->data, y->data, tensor_size(x) * sizeof *x->data) == 0;
}

/* q | k | v is one change, three in the file, and one again. */
Test(peft, one_change_of_q_k_and_v, .timeout = 60) {
    Gpt2 *model = base_of(&llama);
    Adapters ours = changed(model, 2);
    save(&ours, model, scratch);
    SafeTensors file =
        safetensors_open(path_join(scratch, "adapter_model.safetensors"));
    const SafeTensor *a[3];
    for (size_t i = 0; i < 3; i++) {
        char name[120];
        snprintf(name, sizeof name,
                 "base_model.model.model.layers.2.self_attn.%c_proj.lora_A.weight",
                 "qkv"[i]);
        a[i] = safetensors_find(&file, name);
        CHECK(a[i], "there is no '%s'", name);
        CHECK(memcmp(a[i]->data, a[0]->data, a[0]->bytes) == 0, "another A in '%s'",
              name);
    }
    Adapters again = peft_load(model, scratch);
    CHECK(again.n == ours.n, "%zu changes, expected %zu", again.n, ours.n);
    for (size_t i = 0; i < ours.n; i++)
        CHECK(same_numbers(again.items[i].a, ours.items[i].a) &&
                  same_numbers(again.items[i].b, ours.items[i].b) &&
                  memcmp(&again.items[i].shape, &ours.items[i].shape,
                         sizeof again.items[i].shape) == 0,
              "'%s' was saved as %zu and is %zu", ours.items[i].param->name,
              ours.items[i].shape.rank, again.items[i].shape.rank);
    adapters_free(&again);
    adapters_free(&ours);
    gpt2_free(model);
}

/* Ranks that differ are filled up with zeros: merged, the same bits. */
Test(peft, ranks_that_differ, .timeout = 60) {
    Gpt2 *model = base_of(&llama), *other = base_of(&llama);
    Adapters theirs = peft_load(model, adapter_of(&llama));
    CHECK(named(&theirs, "h.0.attn.c_attn.weight")->shape.rank == 6 &&
              named(&theirs, "h.0.mlp.c_proj.weight")->shape.rank == 3,
          "q and v do not share their A: expected rank 6, and 3 elsewhere");
    save(&theirs, model, scratch);
    Adapters again = peft_load(other, scratch);
    adapters_merge(&theirs), adapters_merge(&again);
    for (size_t i = 0; i < model->params.n; i++)
        CHECK(
            same_numbers(model->params.items[i].tensor, other->params.items[i].tensor),
            "'%s' has other bits", model->params.items[i].name);
    adapters_free(&theirs);
    adapters_free(&again);
    gpt2_free(model);
    gpt2_free(other);
}

/* --- what is refused --- */

/* Something in the config or in the header of the weights, and as long a one for it. */
typedef struct {
    const char *file, *piece, *by, *message;
} Refusal;

static void copy_changed(const char *file, const Refusal *r) {
    size_t n;
    char *text = file_read(path_join(adapter_of(&gpt2), file), &n);
    for (size_t i = 0; r && i + strlen(r->piece) <= n; i++) {
        if (memcmp(text + i, r->piece, strlen(r->piece)) != 0) continue;
        memcpy(text + i, r->by, strlen(r->by));
        break;
    }
    put_file(path_join(scratch, file), text, n);
    free(text);
}

static void load_scratch(void *unused) {
    (void)unused;
    peft_load(base_of(&gpt2), scratch);
}

static void load_of_another_model(void *unused) {
    (void)unused;
    peft_load(base_of(&gpt2), adapter_of(&llama));
}

Test(peft, refusals, .timeout = 120) {
    static const Refusal refusals[] = {
        {"adapter_config.json", "\"LORA\"", "\"LOHA\"",
         "'peft_type' is 'LOHA', expected LORA"},
        {"adapter_config.json", "\"r\": 2", "\"r\": 3",
         "c_attn.lora_A.weight': is [2, 32], expected [3, 32]"},
        {"adapter_config.json", "\"r\": 2", "\"r\": 0", "\"r\" is 0, expected 1"},
        {"adapter_config.json", "\"use_dora\": false", "\"use_dora\": true ",
         "'use_dora' is not supported"},
        {"adapter_config.json", "\"alpha_pattern\": {}", "\"alpha_pattern\":[1]",
         "'alpha_pattern' is not supported"},
        {"adapter_config.json", "\"fan_in_fan_out\": true", "\"alpha_pattern\": [1]  ",
         "\"alpha_pattern\" is there twice"},
        {"adapter_config.json", "\"init_lora_weights\": true,",
         "\"init_lora_weights\":\"o\"  ,", "'init_lora_weights' is 'o', which changes"},
        {"adapter_model.safetensors", "h.0.attn.c_attn.lora_A",
         "h.0.attn.c_attn.lora_X",
         "tensor 'base_model.model.transformer.h.0.attn.c_attn.lora_A.weight' is "
         "missing"},
        {"adapter_model.safetensors", "h.1.attn.c_attn.lora_B",
         "h.7.attn.c_attn.lora_B", "is missing"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const Refusal *r = &refusals[i];
        bool config = strcmp(r->file, "adapter_config.json") == 0;
        copy_changed("adapter_config.json", config ? r : NULL);
        copy_changed("adapter_model.safetensors", config ? NULL : r);
        expect_exit(1, r->message, load_scratch, NULL);
    }
    expect_exit(1, "no matrix of the model's blocks is changed by it",
                load_of_another_model, NULL);
}

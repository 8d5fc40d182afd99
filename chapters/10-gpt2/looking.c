/* Looking at a model, and what it makes of a text: see reading.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "09-tokenizer/pretokenize.h"
#include "10-gpt2/dump.h"
#include "10-gpt2/eval.h"
#include "10-gpt2/ids.h"
#include "10-gpt2/info.h"
#include "10-gpt2/keys.h"
#include "10-gpt2/reading.h"
#include "10-gpt2/verify.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/unicode.h"
#include "checkpoints/gguf.h"
#include "files/file.h"

bool look_is_asked(void) {
    return reading.info || reading.check || reading.dump || reading.targets ||
           reading.grad;
}

static void check_options(void) {
    bool passes = reading.dump || reading.targets || reading.grad;
    if (passes && !(model_is_named() && reading.ids))
        die_usage("--dump, --targets, --grad: need --model and --ids");
    if (reading.check && (!reading.model || reading.ids))
        die_usage("--check: needs --model, without --ids");
    if (reading.attention_mask && !reading.ids)
        die_usage("--attention-mask: belongs to --ids");
    if (reading.ids && !model_is_named())
        die_usage("--ids '%s': needs a --model", reading.ids);
    if (!model_is_named()) die_usage("--info: needs a --model");
}

static void check_loss(double loss) {
    if (!isfinite(loss))
        die("the loss is %g: weights of the model are no finite numbers, or too large",
            loss);
}

static bool counts_any(const int *targets, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (targets[i] != IGNORE_TARGET) return true;
    }
    return false;
}

/* ln V is what a model that knows nothing pays for each token. */
void look_at_ids(Gpt2 *model, const int *ids, size_t n) {
    bool with_targets = reading.targets || reading.grad;
    size_t length = with_targets ? n - 1 : n;
    int *mask = ids_mask(reading.attention_mask, n),
        *targets = checked_alloc(n, sizeof *targets);
    next_tokens(targets, ids, mask, 1, n);
    if (with_targets && !counts_any(targets, n))
        die("--targets needs at least two ids: each is the target of the one before");
    Gpt2Input row = {.tokens = ids, .batch = 1, .length = length, .mask = mask};
    DumpResult r = gpt2_dump(model, &row, with_targets ? targets : NULL, reading.grad,
                             reading.dump);
    free(targets);
    free(mask);
    if (with_targets) {
        check_loss(r.loss);
        printf("loss %.4f nats a token; ln(vocabulary) is %.4f\n", r.loss,
               log((double)model->config.n_vocab));
    }
    if (reading.grad) printf("gradient norm %.4f\n", params_grad_norm(&model->params));
    printf("activations: %.2f MB for %zu tokens\n", 1e-6 * (double)r.activation_bytes,
           length);
    if (reading.dump)
        printf("written: %s\n", printable(reading.dump, PRINTABLE_MOST).text);
}

/* A model that comes with a vocabulary cuts texts into words, by the letters of this
 * version of Unicode. */
static void print_unicode(void) {
    static const char *const names[] = {"vocab.json", "tokenizer.json"};
    const char *path = reading.model;
    bool reads_text = path && gguf_is_file(path);
    for (size_t i = 0; path && !reads_text && i < 2; i++) {
        char *name = path_join(path, names[i]);
        reads_text = access(name, F_OK) == 0;
        free(name);
    }
    if (!reads_text) return;
    char version[24];
    pretokenizer_unicode(version);
    printf("text: letters are those of Unicode %s (PCRE2's); newer ones count as "
           "signs\n",
           version);
}

/* Of a random model without ids, its shapes are enough. */
static Gpt2 *model_to_look_at(uint64_t seed) {
    if (!reading.random || reading.ids)
        return reading_model(seed, reading.grad ? PARAMS_TRAIN : PARAMS_MAPPED);
    Gpt2Config config = gpt2_named_config(reading.random);
    return gpt2_create(&config, PARAMS_MAPPED, NULL);
}

void look_at_model(const Settings *settings) {
    check_options();
    Gpt2 *model = model_to_look_at(settings->seed);
    if (reading.info || !reading.ids) {
        print_unicode();
        gpt2_print_info(model);
    }
    if (reading.check) gpt2_verify(model, reading.model, stdout);
    if (reading.ids) {
        size_t n;
        int *ids = ids_parse("--ids", reading.ids, model->config.n_vocab, &n);
        look_at_ids(model, ids, n);
        free(ids);
    }
    reading_free(model);
}

/* --- the commands --- */

static void print_info(const Settings *settings) {
    reading.info = true;
    look_at_model(settings);
}

static void write_dump(const Settings *settings) {
    if (!reading.ids || !reading.out)
        die_usage("dump: --model PATH, --ids and --out FILE are needed");
    reading.dump = reading.out;
    look_at_model(settings);
}

static void evaluate(const Settings *settings) {
    if (!model_is_named() || !reading.text)
        die_usage("eval: --model PATH and --text FILE are needed");
    Gpt2 *model = reading_model(settings->seed, PARAMS_MAPPED);
    size_t n, bytes, n_ctx = model->config.n_ctx;
    if (reading.stride > n_ctx)
        die_usage("--stride %zu: the model's context is %zu", reading.stride, n_ctx);
    Tokenizer *tokenizer = reading_tokenizer(model);
    int *tokens = reading_text(tokenizer, &n, &bytes);
    Evaluation e =
        gpt2_evaluate(model, tokens, n, reading.stride ? reading.stride : n_ctx);
    check_loss(evaluation_loss(&e));
    printf("weights        %zu bytes\n", params_bytes(&model->params));
    printf("tokens         %zu of %zu bytes; %zu scored in %zu windows (nothing "
           "predicts the first)\n",
           n, bytes, e.scored, e.windows);
    printf("loss           %.4f nats a token\n", evaluation_loss(&e));
    printf("perplexity     %.4f\n", evaluation_perplexity(&e));
    printf("bits per byte  %.4f\n", evaluation_bits_per_byte(&e, bytes));
    free(tokens);
    tokenizer_free(tokenizer);
    reading_free(model);
}

static void show_keys(const Settings *settings) {
    if (!model_is_named()) die_usage("keys: --model PATH is needed");
    Gpt2 *model = reading_model(settings->seed, PARAMS_TRAIN);
    Tokenizer *tokenizer = reading_tokenizer(model);
    size_t n, bytes;
    int *tokens = reading_text(tokenizer, &n, &bytes);
    KeyUnit *units = keys_read(model, tokens, n);
    keys_print(units, model, tokenizer, tokens);
    free(units);
    free(tokens);
    tokenizer_free(tokenizer);
    reading_free(model);
}

Command info_command = {"info",
                        "sizes, parameters by part and memory of a model",
                        "--model build/model",
                        {model_options},
                        print_info};
Command dump_command = {"dump",
                        "writes all that a pass computes to a file",
                        "--model DIR --ids \"1 2 3\" --out out.safetensors",
                        {model_options, ids_options, pass_options, out_options},
                        write_dump};
Command eval_command = {"eval",
                        "loss and perplexity of a text",
                        "--model build/model --text README.md",
                        {model_options, text_options, stride_options},
                        evaluate};
Command keys_command = {"keys",
                        "where a model's FFN units fire, and what they say",
                        "--model build/model",
                        {model_options, text_options},
                        show_keys};

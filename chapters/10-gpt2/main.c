/* Chapter 10: the model. Loads a Hugging Face directory or makes a random model, runs
 * it forward and backward, writes what it computed, and measures how well it predicts a
 * text. Without --model, a demonstration on a small random model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/dump.h"
#include "10-gpt2/eval.h"
#include "10-gpt2/experiments/experiments.h"
#include "10-gpt2/ids.h"
#include "10-gpt2/info.h"
#include "10-gpt2/keys.h"
#include "10-gpt2/model_tokenizer.h"
#include "10-gpt2/verify.h"
#include "text/corpus.h"
#include "base/error.h"
#include "files/file.h"
#include "program/program.h"
#include "base/unicode.h"

static const char *model_directory, *ids_text, *dump_path, *random_size, *text_path,
    *vocabulary;
static bool with_targets, with_grad, with_info, with_check;
static size_t stride;

static void check_loss(double loss) {
    if (!isfinite(loss))
        die("the loss is %g: weights of the model are no finite numbers, or too large",
            loss);
}

/* ln V is what a model that knows nothing pays for each token. */
static void run(Gpt2 *model, int *ids, size_t n) {
    size_t length = with_targets ? n - 1 : n;
    if (with_targets && n < 2)
        die("--targets needs at least two ids: each is the target of the one before");
    DumpResult r = gpt2_dump(model, ids, length, with_targets ? ids + 1 : NULL,
                             with_grad, dump_path);
    if (with_targets) {
        check_loss(r.loss);
        printf("loss %.4f nats a token; ln(vocabulary) is %.4f\n", r.loss,
               log((double)model->config.n_vocab));
    }
    if (with_grad) printf("gradient norm %.4f\n", params_grad_norm(&model->params));
    printf("activations: %.2f MB for %zu tokens\n", 1e-6 * (double)r.activation_bytes,
           length);
    if (dump_path) printf("written: %s\n", printable(dump_path, PRINTABLE_MOST).text);
}

static void demo_random(uint64_t seed) {
    Gpt2Config config = gpt2_config(257, 64, 4, 4, 64);
    Random init = random_create(seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_TRAIN, &init);
    gpt2_print_info(model);
    int ids[33];
    for (size_t i = 0; i < 33; i++) ids[i] = (int)(random_below(&init, 257));
    with_targets = with_grad = true;
    run(model, ids, 33);
    printf("\n%-24s %12s %14s\n", "tensor", "parameters", "gradient norm");
    for (size_t i = 0; i < model->params.n; i++) {
        const Param *p = &model->params.items[i];
        if (strstr(p->name, "h.1.") || strstr(p->name, "h.2.") ||
            strstr(p->name, ".bias"))
            continue;
        printf("%-24s %12zu %14.4f\n", p->name, tensor_size(p->tensor),
               tensor_grad_norm(p->tensor));
    }
    gpt2_free(model);
}

/* --random SIZE: to --out, for programs that want weights of the real size;
 * with --info it is only described. */
static void make_random(const Settings *settings) {
    Gpt2Config config = gpt2_named_config(random_size);
    Random init = random_create(settings->seed);
    Directory *directory = with_info ? NULL : directory_open(settings->out);
    Gpt2 *model = with_info ? gpt2_create(&config, PARAMS_MAPPED, NULL)
                            : gpt2_create(&config, PARAMS_INFER, &init);
    gpt2_print_info(model);
    if (!with_info) {
        gpt2_save(model, NULL, directory);
        directory_close(directory);
        Printable out = printable(settings->out, PRINTABLE_MOST);
        printf("written: %s/config.json, %s/model.safetensors\n", out.text, out.text);
    }
    gpt2_free(model);
}

static void run_model(void) {
    Gpt2 *model = gpt2_load(model_directory, with_grad ? PARAMS_TRAIN : PARAMS_MAPPED);
    if (with_info || !ids_text) gpt2_print_info(model);
    if (with_check) gpt2_verify(model, model_directory, stdout);
    if (ids_text) {
        size_t n;
        int *ids = ids_parse("--ids", ids_text, model->config.n_vocab, &n);
        run(model, ids, n);
        free(ids);
    }
    gpt2_free(model);
}

/* The model, and a text in its tokens: what the commands work on. */
typedef struct {
    Gpt2 *model;
    Tokenizer *tokenizer;
    int *tokens;
    size_t n, bytes;
} Reading;

/* --text, or stories of the built-in language. */
static char *read_bytes(size_t *bytes) {
    if (text_path) return file_read(text_path, bytes);
    CorpusText corpus = corpus_generate(1000, 50000);
    *bytes = corpus.bytes;
    return corpus.text;
}

static Reading read_text(ParamsMode mode) {
    Reading r = {0};
    char *text = read_bytes(&r.bytes);
    r.model = gpt2_load(model_directory, mode);
    r.tokenizer = model_tokenizer(vocabulary, model_directory, r.model->config.n_vocab);
    if (!r.tokenizer)
        die("directory '%s': there is no vocab.json; --vocab DIR says where the "
            "tokenizer is",
            model_directory);
    r.tokens = tokenizer_encode(r.tokenizer, text, r.bytes, true, &r.n);
    if (r.n < 2)
        die("file '%s': %zu tokens, expected at least 2: the first is not predicted",
            text_path, r.n);
    free(text);
    return r;
}

static void free_reading(Reading *r) {
    free(r->tokens);
    tokenizer_free(r->tokenizer);
    gpt2_free(r->model);
}

static void evaluate(void) {
    if (!text_path) die_usage("eval: --model DIR and --text FILE are needed");
    Reading r = read_text(PARAMS_MAPPED);
    size_t n_ctx = r.model->config.n_ctx;
    if (stride > n_ctx)
        die_usage("--stride %zu: the model's context is %zu", stride, n_ctx);
    Evaluation e = gpt2_evaluate(r.model, r.tokens, r.n, stride ? stride : n_ctx);
    check_loss(evaluation_loss(&e));
    printf("tokens         %zu of %zu bytes; %zu scored in %zu windows (nothing "
           "predicts the first)\n",
           r.n, r.bytes, e.scored, e.windows);
    printf("loss           %.4f nats a token\n", evaluation_loss(&e));
    printf("perplexity     %.4f\n", evaluation_perplexity(&e));
    printf("bits per byte  %.4f\n", evaluation_bits_per_byte(&e, r.bytes));
    free_reading(&r);
}

static void show_keys(void) {
    if (stride) die_usage("--stride: belongs to eval");
    Reading r = read_text(PARAMS_TRAIN);
    KeyUnit *units = keys_read(r.model, r.tokens, r.n);
    keys_print(units, r.model, r.tokenizer, r.tokens);
    free(units);
    free_reading(&r);
}

/* An option that nothing reads would be lost without a word: no file, and no
 * message. */
static void check_options(const char *command) {
    if (command && !model_directory) die_usage("%s: --model DIR is needed", command);
    if (command && (ids_text || dump_path || with_targets || with_grad || with_info ||
                    with_check || random_size))
        die_usage("%s: takes --model, --text, --stride and --vocab", command);
    if (!command && (text_path || stride || vocabulary))
        die_usage("--text, --stride, --vocab: belong to eval");
    if (random_size && (model_directory || ids_text))
        die_usage("--random '%s': makes a model, without --model and --ids",
                  random_size);
    if (ids_text && !model_directory)
        die_usage("--ids '%s': needs a --model", ids_text);
    if (with_check && (!model_directory || ids_text))
        die_usage("--check: needs --model, without --ids");
    if ((dump_path || with_targets || with_grad) && !ids_text)
        die_usage("--dump, --targets, --grad: need --model and --ids");
}

static void run_command(const Settings *settings) {
    static const struct {
        const char *name;
        void (*run)(void);
    } commands[] = {{"eval", evaluate}, {"keys", show_keys}};
    const char *name = settings->arguments[0];
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(name, commands[i].name) != 0 || settings->n_arguments > 1) continue;
        check_options(name);
        commands[i].run();
        return;
    }
    die_usage("'%s': expected eval or keys, and options",
              settings->arguments[settings->n_arguments - 1]);
}

static void demo(const Settings *settings) {
    if (settings->n_arguments) {
        run_command(settings);
        return;
    }
    check_options(NULL);
    if (with_grad) with_targets = true;
    if (random_size) {
        make_random(settings);
    } else if (model_directory) {
        run_model();
    } else {
        demo_random(settings->seed);
    }
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"model", OPTION_TEXT, &model_directory,
         "a Hugging Face GPT-2 directory, or a GGUF file", 0, 0},
        {"ids", OPTION_TEXT, &ids_text, "token ids to run it on, e.g. \"1 2 3\"", 0, 0},
        {"targets", OPTION_FLAG, &with_targets,
         "each id is the target of the one before: print the loss", 0, 0},
        {"grad", OPTION_FLAG, &with_grad, "go backwards too (implies --targets)", 0, 0},
        {"dump", OPTION_TEXT, &dump_path,
         "write logits, hidden states, attentions, gradients to this file", 0, 0},
        {"info", OPTION_FLAG, &with_info, "print config, parameters by part and memory",
         0, 0},
        {"check", OPTION_FLAG, &with_check,
         "is the model's directory what was saved? Ends at the first difference", 0, 0},
        {"random", OPTION_TEXT, &random_size,
         "write a random gpt2, gpt2-medium, gpt2-large or gpt2-xl to --out; with "
         "--info only describe it",
         0, 0},
        {"text", OPTION_TEXT, &text_path,
         "eval, keys: the text; keys without: stories of the built-in language", 0, 0},
        {"stride", OPTION_SIZE, &stride,
         "eval: tokens from one window to the next; 0: the model's context", 0, 1e9},
        {"vocab", OPTION_TEXT, &vocabulary,
         "eval, keys: directory of vocab.json and merges.txt; without: the model's", 0,
         0},
        {0},
    };
    static const Experiment experiments[] = {
        {"mistakes", "how far each mistake moves the logits from PyTorch's",
         experiment_mistakes},
        {"mistakes-loss",
         "how far they move the loss, of random models and of models in training",
         experiment_mistakes_loss},
        {"stride",
         "loss of a small model by context and by the stride of the evaluation",
         experiment_stride},
        {"sizes", "where the parameters of the four sizes are", experiment_sizes},
        {0},
    };
    return program_run(
        argc, argv,
        &(Program){
            .name = "10-gpt2",
            .summary =
                "the complete model, forward and backward. COMMAND eval: loss and "
                "perplexity of a text; keys: where "
                "its FFNs' units fire",
            .example = "--model tests/golden/tiny_gpt2 --ids \"1 2 3 4\" --grad",
            .arguments = "[COMMAND]",
            .options = options,
            .experiments = experiments,
            .demo = demo,
        });
}

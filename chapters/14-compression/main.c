/* Chapter 14: compression. Codes the matrices of a model, saves it, measures and runs
 * it. Without options, what each codec makes of noise and of a smooth table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "06-embeddings/sinusoidal.h"
#include "10-gpt2/eval.h"
#include "10-gpt2/model_tokenizer.h"
#include "12-generation/options.h"
#include "13-kv-cache/cached_text.h"
#include "14-compression/block_products.h"
#include "14-compression/codec.h"
#include "14-compression/coded_model.h"
#include "14-compression/experiments/experiments.h"
#include "14-compression/mixed.h"
#include "base/error.h"
#include "checkpoints/gguf.h"
#include "files/file.h"
#include "base/memory.h"
#include "program/program.h"
#include "math/random.h"
#include "base/unicode.h"

static WritingOptions options;
static const char *codec_text, *text_path;
static size_t stride, most_tokens = 16384;

static bool is_prompted(void) {
    return options.prompt || options.ids;
}

/* --- coding a model --- */

/* The tokens of the text in *path, at most `most`. */
static int *read_tokens(const char *path, const Tokenizer *tokenizer, size_t *n) {
    size_t bytes;
    char *text = file_read(path, &bytes);
    if (!tokenizer)
        die("--text '%s': the model has no tokenizer to read it with", path);
    int *tokens = tokenizer_encode(tokenizer, text, bytes, true, n);
    if (*n < 2) die("file '%s': %zu tokens, expected at least 2", path, *n);
    free(text);
    return tokens;
}

/* Before the work, not after it. `type` is what a matrix will be. */
static void check_out(const char *out, const WeightType *type) {
    bool gguf = is_gguf_path(out);
    if (gguf && !gguf_has_type(type))
        die_usage("--out '%s': a GGUF file has no weights of type %s; a name without "
                  ".gguf makes a directory",
                  out, type->name);
    char *directory = gguf ? path_directory(out) : checked_strdup(out);
    expect_writable(directory);
    free(directory);
}

/* Codes all matrices alike, with a calibration where the codec needs one. tokens [n]:
 * NULL without a text. */
static void code_alike(Coded *coded, const int *tokens, size_t n, FILE *report) {
    double value;
    const Codec *codec = codec_find(codec_text, &value);
    Calibration calibration = {0};
    if (codec->needs_moments) calibration = calibrate(coded->model, tokens, n);
    code_model(coded, codec, value, codec->needs_moments ? &calibration : NULL, report);
    calibration_free(&calibration);
}

static void code_mixed(Coded *coded, double bits, const int *tokens, size_t n,
                       FILE *report) {
    static const char *const names[] = {"q8_0", "q6_k", "q4_1", "q4_0"};
    Gpt2 *model = coded->model;
    Sensitivity s = sensitivity_measure(model, names, sizeof names / sizeof *names,
                                        NULL, tokens, n);
    size_t *choice = checked_alloc(model->params.n, sizeof *choice);
    mixed_choose(choice, &s, &model->params, bits);
    mixed_code(coded, &s, choice, report);
    free(choice);
    sensitivity_free(&s);
}

/* The bits of "mixed:BITS"; 0 for what is not mixed. */
static double mixed_bits(void) {
    static const char name[] = "mixed:";
    if (strncmp(codec_text, name, sizeof name - 1) != 0) return 0;
    char *end;
    double bits = strtod(codec_text + sizeof name - 1, &end);
    if (*end || !(bits >= 4.5 && bits <= 8.5))
        die_usage("--codec '%s': expected 4.5 to 8.5 bits a weight", codec_text);
    return bits;
}

/* The coded model writes, in the products of the lesson, or becomes a file. */
static void use_coded(Gpt2 *model, Tokenizer *tokenizer, const Settings *settings) {
    if (is_prompted()) {
        use_block_products(model, options.integer);
        options.integer = false; /* these are the exercises' */
        write_cached_texts(&options, &(TextModel){model, tokenizer}, settings->seed);
    } else {
        coded_model_save(model, tokenizer, settings->out);
        printf("written: %s\n", printable(settings->out, PRINTABLE_MOST).text);
    }
}

static void code(const Settings *settings) {
    double bits = mixed_bits(), unused;
    const Codec *codec = bits > 0 ? NULL : codec_find(codec_text, &unused);
    if (!options.model) die_usage("--codec '%s': needs a --model", codec_text);
    if ((!codec || codec->needs_moments) && !text_path)
        die_usage("--codec '%s': needs a --text to calibrate with", codec_text);
    if (!is_prompted()) check_out(settings->out, codec ? codec->type : &weight_q4_0);
    Gpt2 *model = coded_model_load(options.model);
    Tokenizer *tokenizer = model_tokenizer(NULL, options.model, model->config.n_vocab);
    size_t n = 0;
    int *tokens = text_path ? read_tokens(text_path, tokenizer, &n) : NULL;
    if (n > most_tokens) n = most_tokens;
    Coded coded = coded_begin(model);
    FILE *report = is_prompted() ? NULL : stdout;
    if (codec)
        code_alike(&coded, tokens, n, report);
    else
        code_mixed(&coded, bits, tokens, n, report);
    use_coded(model, tokenizer, settings);
    coded_undo(&coded);
    free(tokens);
    tokenizer_free(tokenizer);
    gpt2_free(model);
}

/* --- measuring and running one --- */

static void evaluate(void) {
    if (!options.model || !text_path)
        die_usage("eval: --model PATH and --text FILE are needed");
    Gpt2 *model = coded_model_load(options.model);
    if (stride > model->config.n_ctx)
        die_usage("--stride %zu: the model's context is %zu", stride,
                  model->config.n_ctx);
    writing_integers(&options, model);
    Tokenizer *tokenizer = model_tokenizer(NULL, options.model, model->config.n_vocab);
    size_t n;
    int *tokens = read_tokens(text_path, tokenizer, &n);
    Evaluation e =
        gpt2_evaluate(model, tokens, n, stride ? stride : model->config.n_ctx);
    printf("weights    %zu bytes\n", params_bytes(&model->params));
    printf("loss       %.4f nats a token\n", evaluation_loss(&e));
    printf("perplexity %.4f\n", evaluation_perplexity(&e));
    free(tokens);
    tokenizer_free(tokenizer);
    gpt2_free(model);
}

static void write_text(uint64_t seed) {
    Gpt2 *model = coded_model_load(options.model);
    TextModel m = {model, model_tokenizer(NULL, options.model, model->config.n_vocab)};
    write_cached_texts(&options, &m, seed);
    text_model_free(&m);
}

/* --- the demonstration --- */

static void print_table(const Matrix *noise, const Matrix *smooth) {
    size_t n;
    const Codec *codecs = codec_all(&n);
    printf("%-12s %-32s %8s %12s %12s\n", "codec", "", "bits", "white noise",
           "sinusoids");
    for (size_t i = 0; i < n; i++) {
        if (codecs[i].needs_moments) continue; /* these matrices have no inputs */
        Weight a = codec_encode(&codecs[i], codecs[i].usual, noise);
        Weight b = codec_encode(&codecs[i], codecs[i].usual, smooth);
        printf("%-12s %-32s %8.3f %12.4f %12.4f\n", codecs[i].name, codecs[i].summary,
               codec_bits(&a), codec_error(&a, noise), codec_error(&b, smooth));
        free((void *)(uintptr_t)a.data);
        free((void *)(uintptr_t)b.data);
    }
}

static void demo_table(uint64_t seed) {
    enum { ROWS = 512, COLS = 256 };
    float *noise = checked_alloc(ROWS * COLS, sizeof *noise),
          *smooth = checked_alloc(ROWS * COLS, sizeof *smooth);
    Random random = random_create(seed);
    random_fill_normal(&random, noise, ROWS * COLS, 0.02f);
    sinusoidal_table(smooth, ROWS, COLS);
    printf("Relative error ||decoded - W|| / ||W|| of matrices %d x %d:\n", ROWS, COLS);
    print_table(&(Matrix){.data = noise, .rows = ROWS, .cols = COLS},
                &(Matrix){.data = smooth, .rows = ROWS, .cols = COLS});
    free(noise);
    free(smooth);
}

static void demo(const Settings *settings) {
    if (options.integer && (!options.model || (codec_text && !is_prompted())))
        die_usage("--integer: needs a --model that writes, or eval");
    if (settings->n_arguments) {
        if (strcmp(settings->arguments[0], "eval") != 0 || settings->n_arguments > 1 ||
            codec_text)
            die_usage("'%s': expected eval, and its options",
                      settings->arguments[settings->n_arguments - 1]);
        evaluate();
    } else if (codec_text) {
        code(settings);
    } else if (options.model) {
        if (text_path) die_usage("--text '%s': belongs to eval and --codec", text_path);
        write_text(settings->seed);
    } else {
        if (text_path || stride) die_usage("--text, --stride: need a --model");
        demo_table(settings->seed);
    }
}

int main(int argc, char **argv) {
    static const Option own[] = {
        {"codec", OPTION_TEXT, &codec_text,
         "code the model, NAME, NAME:VALUE or mixed:BITS, and write it to --out; with "
         "--prompt, write text",
         0, 0},
        {"text", OPTION_TEXT, &text_path,
         "eval: the text; --codec: a text to calibrate with", 0, 0},
        {"stride", OPTION_SIZE, &stride,
         "eval: tokens from one window to the next; 0: the model's context", 0, 1e9},
        {"calibration-tokens", OPTION_SIZE, &most_tokens, "of the text, for --codec", 2,
         1e9},
        {0},
    };
    static const Experiment experiments[] = {
        {"rate-distortion", "error against bits: noise, smooth tables, trained weights",
         experiment_rate_distortion},
        {"group-size", "error against how many weights share a scale",
         experiment_group_size},
        {"integer", "products in whole numbers: what rounded inputs cost",
         experiment_integer},
        {"claim", "80 to 90 % smaller, less than 2 % worse: every codec on four models",
         experiment_claim},
        {"feedback", "how much of what rounding costs error feedback takes back",
         experiment_feedback},
        {"sensitivity", "one matrix alone is coded; a mixture of codecs",
         experiment_sensitivity},
        {"gpt2", "the codecs on OpenAI's weights in data/gpt2, where they are",
         experiment_gpt2},
        {0},
    };
    static const Experiment timed[] = {
        {"decoding",
         "tokens a second, memory and the first token's time, at GPT-2's size",
         experiment_decoding},
        {"row-cache",
         "decoded rows that are kept: how often they are read again, and what that "
         "saves",
         experiment_row_cache},
        {0},
    };
    options = writing_options();
    options.sampling.temperature = 0.8;
    return program_run(
        argc, argv,
        &(Program){
            .name = "14-compression",
            .summary = "codes a model in fewer bytes; writes text with it. COMMAND "
                       "eval: its loss",
            .example = "--model build/model --codec q4_0 --out build/model-q4_0.gguf",
            .arguments = "[COMMAND]",
            .options = writing_option_table(&options, own),
            .experiments = experiments,
            .timed = timed,
            .demo = demo,
        });
}

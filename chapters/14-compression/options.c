/* Coding a model as the options say: see options.h. */
#include "14-compression/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/family.h"
#include "13-kv-cache/options.h"
#include "14-compression/block_products.h"
#include "14-compression/coded_model.h"
#include "14-compression/mixed.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/unicode.h"
#include "files/file.h"
#include "weights/panel_integers.h"

static const char *codec_text;
static size_t most_tokens = 16384;
static bool integer;

const Option codec_options[] = {
    {"codec", OPTION_TEXT, &codec_text,
     "code the model when it is read: NAME, NAME:VALUE, NAME:TABLE/OTHERS (a value of "
     "the token table's own) or mixed:BITS; without a --prompt, write it to --out",
     0, 0},
    {"calibration-tokens", OPTION_SIZE, &most_tokens, "of --text, for --codec", 2, 1e9},
    {"integer", OPTION_FLAG, &integer,
     "multiply Q8_0, Q4_0 and Q4_1 in whole numbers, with inputs of 8 bits: faster", 0,
     0},
    {0},
};

/* --- coding a model that was read --- */

static Coded coded;
static bool to_be_saved; /* with a table of its matrices, and without running it */

/* The tokens to calibrate with: those of --text. */
static int *calibration_tokens(size_t *n) {
    size_t bytes;
    Tokenizer *tokenizer = reading_tokenizer(coded.model);
    int *tokens = reading_text(tokenizer, n, &bytes);
    if (*n > most_tokens) *n = most_tokens;
    tokenizer_free(tokenizer);
    return tokens;
}

/* Codes all matrices alike, with a calibration where the codec needs one. */
static void code_alike(const Codec *codec, double value, FILE *report) {
    Calibration calibration = {0};
    if (codec->needs_moments) {
        size_t n;
        int *tokens = calibration_tokens(&n);
        calibration = calibrate(coded.model, tokens, n);
        free(tokens);
    }
    code_model(&coded, codec, value, codec->needs_moments ? &calibration : NULL,
               report);
    calibration_free(&calibration);
}

static void code_mixed(double bits, FILE *report) {
    static const char *const names[] = {"q8_0", "q6_k", "q4_1", "q4_0"};
    size_t n;
    int *tokens = calibration_tokens(&n);
    Gpt2 *model = coded.model;
    Sensitivity s = sensitivity_measure(model, names, sizeof names / sizeof *names,
                                        NULL, tokens, n);
    size_t *choice = checked_alloc(model->params.n, sizeof *choice);
    mixed_choose(choice, &s, &model->params, bits);
    mixed_code(&coded, &s, choice, report);
    free(choice);
    free(tokens);
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

/* The codec of NAME:TABLE/OTHERS and its two values; *table is 0 where there is one. */
static const Codec *codec_by_part(double *others, double *table) {
    const char *colon = strchr(codec_text, ':'), *slash = strchr(codec_text, '/');
    *table = 0;
    if (!colon || !slash || slash < colon) return codec_find(codec_text, others);
    char *text = checked_strdup(codec_text);
    text[slash - codec_text] = '\0';
    const Codec *codec = codec_find(text, table);
    strcpy(text + (colon + 1 - codec_text), slash + 1);
    codec_find(text, others);
    free(text);
    return codec;
}

/* The codec of --codec and its values; NULL: a mixture of *value bits. Ends the program
 * if an option that it needs is missing. */
static const Codec *chosen_codec(double *value, double *table_value) {
    double bits = mixed_bits();
    const Codec *codec = bits > 0 ? NULL : codec_by_part(value, table_value);
    if (!codec) *value = bits;
    if (!model_is_named()) die_usage("--codec '%s': needs a --model", codec_text);
    if ((!codec || codec->needs_moments) && !reading.text)
        die_usage("--codec '%s': needs a --text to calibrate with", codec_text);
    return codec;
}

/* A text is written faster with it, where a matrix has blocks of this kind. */
static void recommend_integer(const Gpt2 *model) {
    bool has_blocks = weight_has_integers(&model->head);
    for (size_t i = 0; i < model->params.n; i++) {
        const Weight *stored = model->params.items[i].tensor->stored;
        has_blocks = has_blocks || (stored && weight_has_integers(stored));
    }
    if (has_blocks)
        fprintf(stderr,
                "--integer multiplies these weights in whole numbers, faster\n");
}

/* A model that is run and not saved computes in the products of the lesson. */
static void change(Gpt2 *model) {
    if (reading.grad && (codec_text || integer))
        die_usage("--grad: is of floats, without --codec and --integer");
    if (!codec_text) {
        if (integer && gpt2_use_integers(model) == 0)
            fprintf(stderr, "--integer: no matrix of the model is Q8_0, Q4_0 or Q4_1; "
                            "all are multiplied as floats\n");
        if (!integer && is_prompted()) recommend_integer(model);
        return;
    }
    double value, table_value;
    const Codec *codec = chosen_codec(&value, &table_value);
    FILE *report = to_be_saved ? stdout : NULL;
    coded = coded_begin(model);
    if (codec) coded.table_value = table_value;
    if (codec)
        code_alike(codec, value, report);
    else
        code_mixed(value, report);
    if (!to_be_saved) use_block_products(model, integer);
}

static void change_back(Gpt2 *model) {
    if (coded.model == model) coded_undo(&coded);
}

/* --- saving it --- */

/* Before the work, not after it. */
static void check_out(const char *out) {
    if (codec_text) {
        double value, table_value;
        const Codec *codec = chosen_codec(&value, &table_value);
        family_expect_saves(reading.model, codec ? codec->type : &weight_q4_0, out);
    }
    char *directory = is_gguf_path(out) ? path_directory(out) : checked_strdup(out);
    expect_writable(directory);
    free(directory);
}

void save_coded(const char *out, uint64_t seed) {
    if (integer) die_usage("--integer: needs a --model that writes, or eval");
    check_out(out);
    to_be_saved = true;
    Gpt2 *model = reading_model(seed, PARAMS_MAPPED);
    Tokenizer *tokenizer = reading_tokenizer(model);
    family_save(model, tokenizer, out);
    if (tokenizer) tokenizer_free(tokenizer);
    reading_free(model);
}

static void save_and_say(const char *out, uint64_t seed) {
    save_coded(out, seed);
    printf("written: %s\n", printable(out, PRINTABLE_MOST).text);
}

static void convert(const Settings *settings) {
    if (!model_is_named() || !reading.out)
        die_usage("convert: --model PATH and --out PATH are needed");
    save_and_say(reading.out, settings->seed);
}

Command convert_command = {"convert",
                           "makes a GGUF file or a directory, coded or as it is",
                           "--model DIR --codec q8_0 --out q8_0.gguf",
                           {model_options, text_options, codec_options, out_options},
                           convert};

static void expect_nothing_asked(void) {
    double unused[2];
    if (codec_text) chosen_codec(&unused[0], &unused[1]); /* its name comes first */
    if (integer) die_usage("--integer: needs a --model that writes, or eval");
    if (reading.text || reading.vocab) die_usage("--text, --vocab: need a --model");
    if (is_prompted()) die_usage("--prompt, --ids: need a --model");
}

bool use_model(const Settings *settings) {
    bool named = model_is_named();
    if (look_is_asked()) {
        look_at_model(settings);
        return true;
    }
    if (!named) {
        expect_nothing_asked();
        return false;
    }
    if (reading.text && !codec_text)
        die_usage("--text '%s': belongs to eval and --codec", reading.text);
    if (codec_text && !is_prompted())
        save_and_say(settings->out, settings->seed);
    else
        write_as_told(settings);
    return true;
}

/* --- what main begins with --- */

static Gpt2 *load_coded(const char *path, ParamsMode mode) {
    if (mode == PARAMS_TRAIN)
        die("'%s': its weights are coded, and cannot be trained", path);
    return coded_model_load(path);
}

void coding_start(void) {
    static const ModelFamily coded_directories = {.is = coded_model_is,
                                                  .load = load_coded};
    family_add(&coded_directories);
    reading.change = change;
    reading.change_back = change_back;
    command_add_options(&write_command, text_options);
    command_add_options(&write_command, codec_options);
    command_add_options(&eval_command, codec_options);
    command_add_options(&dump_command, text_options);
    command_add_options(&dump_command, codec_options);
}

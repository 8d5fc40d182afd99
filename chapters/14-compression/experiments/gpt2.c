/* The codecs on OpenAI's weights, where they are. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/eval.h"
#include "10-gpt2/model_tokenizer.h"
#include "14-compression/experiments/experiments.h"
#include "14-compression/experiments/measure.h"
#include "program/claim.h"
#include "files/csv.h"
#include "base/error.h"
#include "files/file.h"

static const char model_place[] = "data/gpt2",
                  text_place[] = "data/tinyshakespeare.txt";
enum { CALIBRATION = 8192, JUDGED = 8192 };

static const Form forms[] = {
    {"ggml", "q8_0", NULL},
    {"ggml", "q6_k", NULL},
    {"ggml", "q4_k", NULL},
    {"ggml", "q4_0", NULL},
    {"GPTQ", "gptq4", NULL},
    {"GPTQ", "gptq3", NULL},
    {"DCT", "dct:334", NULL},
    {"RBE", "rbe:337", NULL},
    {"claimed", "rbe:150", "rbe:100"},
};
enum { FORMS = sizeof forms / sizeof *forms, Q8_0 = 0 };

static bool is_there(const char *path) {
    bool there = access(path, R_OK) == 0;
    if (!there)
        printf("skipped: there is no %s; make data MODEL=gpt2 fetches it\n", path);
    return there;
}

static double loss_of(const Gpt2 *model, const int *tokens, size_t n) {
    Evaluation e = gpt2_evaluate(model, tokens, n, model->config.n_ctx);
    return evaluation_loss(&e);
}

/* The text's first tokens calibrate, the next are judged. */
static void measure(const Settings *settings, Gpt2 *model, const int *tokens,
                    size_t judged) {
    Csv csv = csv_begin(settings->out, "gpt2", "codec,bytes,bits,loss,added,percent");
    Calibration calibration = calibrate(model, tokens, CALIBRATION);
    tokens += CALIBRATION;
    double loss = loss_of(model, tokens, judged), percent[FORMS];
    printf("%zu parameters, loss %.4f nats a token\n", params_count(&model->params),
           loss);
    for (size_t f = 0; f < FORMS; f++) {
        Coded coded = coded_begin(model);
        size_t bytes = form_model(&coded, &forms[f], &calibration);
        double added = loss_of(model, tokens, judged) - loss,
               bits = model_bits(model, bytes);
        coded_undo(&coded);
        percent[f] = percent_of(added);
        const char *codec = forms[f].table ? "claimed" : forms[f].codec;
        csv_row(&csv, "%s,%zu,%.6g,%.6g,%.6g,%.6g", codec, bytes, bits, loss, added,
                percent[f]);
        printf("%-10s %6.2f bits, perplexity %10.2f %% more\n", codec, bits,
               percent[f]);
    }
    csv_commit(&csv);
    calibration_free(&calibration);
    claim(percent[Q8_0] < 2 && percent[FORMS - 1] > 2,
          "Q8_0 costs %.2f %%, RBE as claimed %.0f %%: less than 2, and more",
          percent[Q8_0], percent[FORMS - 1]);
}

void experiment_gpt2(const Settings *settings) {
    char *weights = path_join(model_place, "model.safetensors");
    bool there = is_there(weights) && is_there(text_place);
    free(weights);
    if (!there) return;
    Gpt2 *model = gpt2_load(model_place, PARAMS_MAPPED);
    Tokenizer *tokenizer = model_tokenizer(NULL, model_place, model->config.n_vocab);
    if (!tokenizer)
        die("directory '%s': there is no vocab.json; make data MODEL=gpt2 fetches it",
            model_place);
    size_t bytes, n, judged = settings->quick ? JUDGED / 8 : JUDGED;
    char *text = file_read(text_place, &bytes);
    int *tokens = tokenizer_encode(tokenizer, text, bytes, true, &n);
    if (n < CALIBRATION + judged)
        die("file '%s': %zu tokens, expected %zu", text_place, n, CALIBRATION + judged);
    measure(settings, model, tokens, judged);
    free(text);
    free(tokens);
    tokenizer_free(tokenizer);
    gpt2_free(model);
}

/* Chapter 12: generation. Writes text with a trained model, by greedy choice or by sampling. */
#include <stdio.h>

#include "11-training/train.h"
#include "12-generation/generate.h"
#include "12-generation/writer.h"
#include "program.h"

static const char *model_directory, *prompt = "\n", *ids_text;
static size_t max_new_tokens = 160, top_k, n_texts = 1;
static double temperature = 1, top_p = 1, repetition_penalty = 1;
static bool greedy;

static GenerateSettings generate_settings(int stop_token) {
    SamplingSettings sampling = {greedy, temperature, top_k, top_p, repetition_penalty};
    sampling_check(&sampling);
    return (GenerateSettings){sampling, max_new_tokens, stop_token};
}

static void write_texts(Writer *w, const Settings *settings) {
    PlainModel plain = plain_model_create(w->model);
    GenerateSettings g = generate_settings(NO_STOP_TOKEN);
    for (size_t i = 0; i < n_texts; i++) {
        if (n_texts > 1) printf("--- %zu\n", i + 1);
        Random random = random_stream(settings->seed, STREAM_SAMPLING + i);
        writer_write(w, plain_model(&plain), &g, &random);
    }
    plain_model_free(&plain);
}

/* Without a model: what each setting does to one distribution, then a text of a model trained for a few
 * seconds. */
static void demo_distribution(void) {
    static const float logits[6] = {2.0f, 1.5f, 1.0f, 0.0f, -1.0f, -3.0f};
    static const int context[2] = {0, 0};
    const struct {
        const char *name;
        SamplingSettings s;
    } rows[] = {
        {"as it is", {false, 1, 0, 1, 1}},      {"temperature 0.5", {false, 0.5, 0, 1, 1}},
        {"temperature 2", {false, 2, 0, 1, 1}}, {"top-k 3", {false, 1, 3, 1, 1}},
        {"top-p 0.8", {false, 1, 0, 0.8, 1}},   {"penalty 1.5 on token 0", {false, 1, 0, 1, 1.5}},
    };
    printf("%-24s %7s %7s %7s %7s %7s %7s\n", "probability of token", "0", "1", "2", "3", "4", "5");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double p[6];
        sampling_probabilities(p, logits, 6, context, 2, &rows[i].s);
        printf("%-24s", rows[i].name);
        for (size_t j = 0; j < 6; j++) printf(" %7.3f", p[j]);
        printf("\n");
    }
}

static void demo(const Settings *settings) {
    if (!model_directory) demo_distribution();
    Writer w = model_directory ? writer_load(model_directory) : writer_train(settings->seed, 150);
    if (!model_directory) {
        printf("\na model of %zu parameters after 150 steps on the built-in corpus goes on from a newline:\n",
               params_count(&w.model->params));
    }
    if (ids_text) {
        writer_set_ids(&w, ids_text);
    } else {
        writer_set_prompt(&w, prompt);
    }
    write_texts(&w, settings);
    writer_free(&w);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"model", OPTION_TEXT, &model_directory, "directory of a model, e.g. build/model", 0, 0},
        {"prompt", OPTION_TEXT, &prompt, "what to go on from; - reads standard input", 0, 0},
        {"ids", OPTION_TEXT, &ids_text, "the prompt as token ids", 0, 0},
        {"max-new-tokens", OPTION_SIZE, &max_new_tokens, "length of the text", 1, 1e6},
        {"greedy", OPTION_FLAG, &greedy, "always the likeliest token", 0, 0},
        {"temperature", OPTION_DOUBLE, &temperature, "above 1 flatter, below 1 sharper", 1e-6, 1e6},
        {"top-k", OPTION_SIZE, &top_k, "only the k likeliest; 0: off", 0, 1e9},
        {"top-p", OPTION_DOUBLE, &top_p, "only the likeliest that make up p; 1: off", 1e-9, 1},
        {"repetition-penalty", OPTION_DOUBLE, &repetition_penalty, "against tokens that were there; 1: off",
         1e-6, 1e6},
        {"num-return-sequences", OPTION_SIZE, &n_texts, "how many texts", 1, 1e6},
        {0},
    };
    return program_run(argc, argv,
                       &(Program){
                           .name = "12-generation",
                           .summary = "write text with a trained model",
                           .example = "--model build/model --prompt \"Anna puts\" --temperature 0.8",
                           .options = options,
                           .demo = demo,
                       });
}

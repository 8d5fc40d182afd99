/* Chapter 12: generation. Writes text with a trained model, by greedy choice or by
 * sampling. */
#include <stdio.h>

#include "11-training/training_run.h"
#include "12-generation/experiments/experiments.h"
#include "12-generation/options.h"
#include "12-generation/writing.h"

/* The effect of each setting on one distribution. */
static void demo_distribution(void) {
    static const float logits[6] = {2.0f, 1.5f, 1.0f, 0.0f, -1.0f, -3.0f};
    static const int context[2] = {0, 0};
    const struct {
        const char *name;
        SamplingSettings s;
    } rows[] = {
        {"as it is", {.temperature = 1, .top_p = 1, .repetition_penalty = 1}},
        {"temperature 0.5", {.temperature = 0.5, .top_p = 1, .repetition_penalty = 1}},
        {"temperature 2", {.temperature = 2, .top_p = 1, .repetition_penalty = 1}},
        {"top-k 3",
         {.temperature = 1, .top_k = 3, .top_p = 1, .repetition_penalty = 1}},
        {"top-p 0.8", {.temperature = 1, .top_p = 0.8, .repetition_penalty = 1}},
        {"penalty 1.5 on token 0",
         {.temperature = 1, .top_p = 1, .repetition_penalty = 1.5}},
    };
    SamplingMemory memory = sampling_memory(6);
    printf("%-24s %7s %7s %7s %7s %7s %7s\n", "probability of token", "0", "1", "2",
           "3", "4", "5");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double *p =
            sampling_probabilities(&memory, logits, context, 2, &rows[i].s);
        printf("%-24s", rows[i].name);
        for (size_t j = 0; j < 6; j++) printf(" %7.3f", p[j]);
        printf("\n");
    }
    sampling_memory_free(&memory);
}

static void demo(const Settings *settings) {
    if (look_is_asked()) {
        look_at_model(settings);
        return;
    }
    bool bare = !model_is_named() && !writing.print_ids;
    if (bare) demo_distribution();
    TextModel m = writing_model(settings->seed);
    Prompt prompt = writing_prompt(&m);
    if (bare) {
        printf("\na model of %zu parameters after a short training on the built-in "
               "corpus goes on:\n",
               params_count(&m.model->params));
    }
    GenerateSettings how = writing_settings(&m);
    Transcript transcript = transcript_create(m.tokenizer, writing.print_ids);
    PlainModel plain = plain_model_create(m.model);
    write_texts(&transcript, plain_model(&plain), &prompt, &how, writing.n_texts,
                settings->seed);
    plain_model_free(&plain);
    transcript_free(&transcript);
    prompt_free(&prompt);
    writing_model_free(&m);
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"filters", "one distribution after each filter", experiment_filters},
        {"strategies", "perplexity and variety of texts by strategy",
         experiment_strategies},
        {"repeats", "where greedy text repeats itself", experiment_repeats},
        {0},
    };
    return program_run(argc, argv,
                       &(Program){
                           .name = "12-generation",
                           .summary = "write text with a trained model",
                           .example = "--model build/model --temperature 0.8",
                           .options = {model_options, ids_options, pass_options,
                                       look_options, writing_options},
                           .commands = {&train_command, &eval_command, &keys_command,
                                        &info_command, &dump_command},
                           .experiments = experiments,
                           .demo = demo,
                       });
}

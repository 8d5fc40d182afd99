/* Chapter 10: the model. Loads a Hugging Face directory or makes a random model, runs
 * it forward and backward, writes what it computed, and measures how well it predicts a
 * text. Without --model, a demonstration on a small random model. */
#include <stdio.h>
#include <string.h>

#include "10-gpt2/experiments/experiments.h"
#include "10-gpt2/family.h"
#include "10-gpt2/info.h"
#include "10-gpt2/reading.h"
#include "base/error.h"
#include "base/unicode.h"

static void demo_random(uint64_t seed) {
    Gpt2Config config = gpt2_config(257, 64, 4, 4, 64);
    Random init = random_create(seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_TRAIN, &init);
    gpt2_print_info(model);
    int ids[33];
    for (size_t i = 0; i < 33; i++) ids[i] = (int)(random_below(&init, 257));
    reading.grad = true;
    look_at_ids(model, ids, 33);
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

/* --random SIZE alone: to --out, for programs that want weights of the real size. */
static void write_random(const Settings *settings) {
    Gpt2 *model = reading_model(settings->seed, PARAMS_INFER);
    gpt2_print_info(model);
    family_save(model, NULL, settings->out);
    Printable out = printable(settings->out, PRINTABLE_MOST);
    printf("written: %s/config.json, %s/model.safetensors\n", out.text, out.text);
    reading_free(model);
}

static void demo(const Settings *settings) {
    if (look_is_asked() || reading.ids || reading.model)
        look_at_model(settings);
    else if (reading.random)
        write_random(settings);
    else
        demo_random(settings->seed);
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"mistakes", "how far each mistake moves the logits from PyTorch's",
         experiment_mistakes},
        {"mistakes-loss",
         "how far they move the loss, of random models and of models in training",
         experiment_mistakes_loss},
        {"padding", "what the wrong masks cost, with padding in front and behind",
         experiment_padding},
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
                "the complete model, forward and backward; --random alone writes "
                "that model to --out",
            .example = "--model tests/golden/tiny_gpt2 --ids \"1 2 3 4\" --grad",
            .options = {model_options, ids_options, pass_options, look_options},
            .commands = {&eval_command, &keys_command, &info_command, &dump_command},
            .experiments = experiments,
            .demo = demo,
        });
}

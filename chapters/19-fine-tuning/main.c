/* Chapter 19: fine-tuning. Teaches a model that knows one language another, and
 * measures in nats what it learns and what it forgets. */
#include "18-llama/front_end.h"
#include "18-llama/options.h"
#include "19-fine-tuning/experiments/experiments.h"
#include "19-fine-tuning/options.h"

static void demo(const Settings *settings) {
    if (tuning_is_asked() || !use_model_of_any_family(settings)) tune_as_told(settings);
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"law", "what remembering costs, by the share of old stories", experiment_law},
        {"ranks", "what is learned and what is forgotten, by LoRA's rank",
         experiment_ranks},
        {"mask", "right answers with the mask over the prompt, and without",
         experiment_mask},
        {"preferences", "the margin between two answers, by the share of wrong votes",
         experiment_preferences},
        {"reward", "right answers that a reward brings, by its price beta",
         experiment_reward},
        {0},
    };
    return front_end_run(
        argc, argv,
        (Program){
            .name = "19-fine-tuning",
            .summary = "teaches a model a second language, or a text, or uses a model",
            .example = "--from build/model --replay 0.1 --save build/tuned",
            .options = {tuning_options},
            .commands = {&tune_command},
            .experiments = experiments,
            .demo = demo,
        });
}

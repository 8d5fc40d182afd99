/* Chapter 17: the one-file program (exercise gpt2) beside the course's own GPT-2: the
 * same ids, the same logits, and how much sooner the course's says them. */
#include <stdio.h>
#include <stdlib.h>

#include "10-gpt2/ids.h"
#include "11-training/training_run.h"
#include "13-kv-cache/options.h"
#include "14-compression/options.h"
#include "17-one-file/experiments/experiments.h"
#include "17-one-file/one_file.h"
#include "base/error.h"
#include "math/fit.h"
#include "program/claim.h"
#include "program/program.h"

static size_t n_new = 60;

static void demo(const Settings *settings) {
    if (reading.random)
        die_usage("--random '%s': the one file reads a directory", reading.random);
    OneFileModel m = one_file_model(reading.model, settings->seed);
    size_t n_prompt, n_ctx = m.model->config.n_ctx;
    int *prompt =
        ids_unpadded(reading.ids ? reading.ids : "1 2 3", reading.attention_mask,
                     m.model->config.n_vocab, &n_prompt);
    if (n_prompt > n_ctx)
        die("the prompt has %zu tokens: the model's context is %zu", n_prompt, n_ctx);
    OneFileRun theirs = one_file_run(&m, prompt, n_prompt, n_new);
    OneFileRun ours = one_file_reference(m.model, prompt, n_prompt, n_new);
    size_t same = 0;
    while (same < theirs.n && same < ours.n && theirs.ids[same] == ours.ids[same])
        same++;
    printf("%s: %zu positions, %zu layers, %zu features\n", m.directory, n_ctx,
           m.model->config.n_layer, m.model->config.block.d_model);
    printf("one file writes %zu ids, chapter 13's GPT-2 %zu; the first %zu are equal\n",
           theirs.n - n_prompt, ours.n - n_prompt,
           same < n_prompt ? 0 : same - n_prompt);
    size_t rows = same < theirs.rows ? same : theirs.rows;
    if (rows > ours.rows) rows = ours.rows;
    double worst =
        largest_difference(theirs.logits, ours.logits, rows * m.model->config.n_vocab);
    claim(same == theirs.n && theirs.n == ours.n, "all ids are the same");
    claim(worst < 1e-4, "the logits of %zu positions differ by %.1e at most", rows,
          worst);
    if (theirs.seconds > 0 && ours.seconds > 0)
        printf("a token takes the one file %.3f ms, chapter 13 %.3f ms: %.1f times\n",
               1e3 * theirs.seconds, 1e3 * ours.seconds, theirs.seconds / ours.seconds);
    one_file_run_free(&theirs);
    one_file_run_free(&ours);
    free(prompt);
    one_file_model_free(&m);
}

int main(int argc, char **argv) {
    static const Option own[] = {
        {"new-tokens", OPTION_SIZE, &n_new, "how many tokens to write", 2, 1e6},
        {0},
    };
    static const Experiment timed[] = {
        {"sizes", "how much slower one file is, by the width of the model",
         experiment_sizes},
        {0},
    };
    coding_start();
    return program_run(
        argc, argv,
        &(Program){.name = "17-one-file",
                   .summary = "GPT-2 in one file, beside the course's",
                   .example = "--model build/model --new-tokens 60",
                   .options = {model_options, ids_options, own},
                   .commands = {&write_command, &convert_command, &train_command,
                                &eval_command, &keys_command, &info_command,
                                &dump_command},
                   .timed = timed,
                   .demo = demo});
}

/* Chapter 14: compression. Codes the matrices of a model, saves it, measures and runs
 * it. Without options, what each codec makes of noise and of a smooth table. */
#include <stdio.h>
#include <stdlib.h>

#include "06-embeddings/sinusoidal.h"
#include "11-training/training_run.h"
#include "13-kv-cache/options.h"
#include "14-compression/codec.h"
#include "14-compression/experiments/experiments.h"
#include "14-compression/options.h"
#include "base/memory.h"
#include "math/random.h"
#include "program/program.h"

static void print_table(const Matrix *noise, const Matrix *smooth) {
    size_t n;
    const Codec *codecs = codec_all(&n);
    printf("%-12s %-32s %8s %12s %12s\n", "codec", "", "bits", "white noise",
           "sinusoids");
    for (size_t i = 0; i < n; i++) {
        if (codecs[i].needs_moments) continue; /* these matrices have no inputs */
        Weight a = codec_encode(&codecs[i], codecs[i].default_value, noise);
        Weight b = codec_encode(&codecs[i], codecs[i].default_value, smooth);
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
    if (!use_model(settings)) demo_table(settings->seed);
}

int main(int argc, char **argv) {
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
    writing.sampling.temperature = 0.8;
    coding_start();
    return program_run(
        argc, argv,
        &(Program){
            .name = "14-compression",
            .summary = "codes a model in fewer bytes, and writes text with it",
            .example = "--model build/model --codec q4_0 --out build/q4_0.gguf",
            .options = {model_options, ids_options, pass_options, look_options,
                        text_options, writing_options, cache_options, codec_options},
            .commands = {&convert_command, &write_command, &train_command,
                         &eval_command, &keys_command, &info_command, &dump_command},
            .experiments = experiments,
            .timed = timed,
            .demo = demo,
        });
}

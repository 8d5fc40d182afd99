/* Fine-tuning as the options say: see options.h. */
#include "19-fine-tuning/options.h"

#include <string.h>

#include "10-gpt2/reading.h"
#include "11-training/training_run.h"
#include "13-kv-cache/options.h"
#include "14-compression/options.h"
#include "18-llama/options.h"
#include "19-fine-tuning/peft.h"
#include "19-fine-tuning/tuning_run.h"
#include "base/error.h"

static TuningRun run = {.tuning = {.steps = 200, .batch = 16}, .score_every = 50};
static const char *merge;

const Option tuning_options[] = {
    {"from", OPTION_TEXT, &run.from,
     "the model that is tuned: a directory or GGUF file", 0, 0},
    {"old-text", OPTION_TEXT, &run.old_text,
     "with --text: a file to be scored, and replayed", 0, 0},
    {"context", OPTION_SIZE, &run_options.n_ctx, "tokens in a window of --text", 2,
     4096},
    {"replay", OPTION_DOUBLE, &run.tuning.replay,
     "share of old stories, or windows, in a batch", 0, 1},
    {"lora", OPTION_SIZE, &run.tuning.rank,
     "tune a change of so low a rank; 0: all weights", 0, 4096},
    {"matrices", OPTION_TEXT, &run.tuning.matrices,
     "that --lora changes, e.g. attn or c_attn,c_fc; all of a block", 0, 0},
    {"adapter", OPTION_TEXT, &run.tuning.adapter,
     "tune on a change that --save-adapter, or PEFT, left in this directory", 0, 0},
    {"answers-only", OPTION_FLAG, &run.tuning.answers_only,
     "learn the answers, not the stories in front of them", 0, 0},
    {"steps", OPTION_SIZE, &run.tuning.steps, "steps of tuning", 0, 1e6},
    {"stories", OPTION_SIZE, &run.tuning.batch, "stories, or windows, in a batch", 1,
     4096},
    {"rate", OPTION_DOUBLE, &run.tuning.rate,
     "highest learning rate; 0: 0.001, with --lora 0.02; of --text a twentieth", 0, 10},
    {"score-every", OPTION_SIZE, &run.score_every, "steps between scores", 1, 1e6},
    {"save", OPTION_TEXT, &run.save, "directory or .gguf file for the tuned model", 0,
     0},
    {"merge", OPTION_TEXT, &merge, "the same where --lora or --adapter changes it", 0,
     0},
    {"save-adapter", OPTION_TEXT, &run.save_adapter,
     "directory for the change alone, in PEFT's files", 0, 0},
    {"overwrite", OPTION_FLAG, &run.overwrite, "what is saved replaces what is there",
     0, 0},
    {0},
};

static const Option *first_given(const Option *table) {
    while (table->name && !option_is_given(table->value)) table++;
    return table->name ? table : NULL;
}

bool tuning_is_asked(void) {
    const Option *given = first_given(tuning_options);
    if (!given) return false;
    if (model_is_named())
        die_usage("--%s: a model is tuned with --from, without --model", given->name);
    const Option *const others[] = {ids_options,   pass_options,  look_options,
                                    cache_options, codec_options, chat_options,
                                    save_options};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const Option *other = first_given(others[i]);
        if (other) die_usage("--%s: needs a --model", other->name);
    }
    return true;
}

/* --- what does not fit together --- */

static void check_change(const TuningSettings *s) {
    bool changes = s->rank || s->adapter;
    if (s->adapter && (s->rank || s->matrices))
        die_usage("--adapter '%s': has its own rank and matrices, without --lora and "
                  "--matrices",
                  s->adapter);
    if (s->matrices && !s->rank) die_usage("--matrices: belongs to --lora");
    if (run.save_adapter && !changes)
        die_usage("--save-adapter: needs --lora or --adapter");
    if (merge && !changes) die_usage("--merge: needs --lora or --adapter; or --save");
    if (merge && run.save) die_usage("--save and --merge: expected one of them");
    if (merge) run.save = merge;
    if (run.save && run.save_adapter && strcmp(run.save, run.save_adapter) == 0)
        die_usage("--save and --save-adapter: expected two directories");
}

static void check_text(const TuningSettings *s) {
    if (!reading.text) {
        if (run.old_text || option_is_given(&run_options.n_ctx))
            die_usage("--old-text, --context: belong to --text");
        if (reading.vocab && !run.from) die_usage("--vocab: belongs to --from");
        return;
    }
    if (s->answers_only) die_usage("--answers-only: is for stories, without --text");
    if (s->replay > 0 && !run.old_text)
        die_usage("--replay: needs the --old-text that is replayed");
    if (!run.from) die_usage("--text '%s': needs the model of --from", reading.text);
}

void tune_as_told(const Settings *settings) {
    check_change(&run.tuning);
    check_text(&run.tuning);
    const Option *of_writing = first_given(writing_options);
    if (of_writing && !writing.prompt)
        die_usage("--%s: needs a --prompt", of_writing->name);
    if (run.tuning.adapter) peft_expect(run.tuning.adapter);
    run.tuning.seed = settings->seed;
    if (reading.text && !run.tuning.rate)
        run.tuning.rate = tuning_rate(&run.tuning) / 20;
    tuning_run(&run, settings);
}

Command tune_command = {"tune",
                        "teaches a model a second language, or a text of yours",
                        "--from DIR --text my.txt --lora 8 --merge my.gguf",
                        {tuning_options, text_options, writing_options},
                        tune_as_told};

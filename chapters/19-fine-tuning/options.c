/* Fine-tuning as the options say: see options.h. */
#include "19-fine-tuning/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/family.h"
#include "11-training/start_model.h"
#include "11-training/train.h"
#include "12-generation/generate.h"
#include "12-generation/prompt.h"
#include "19-fine-tuning/tuning.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/unicode.h"
#include "base/words.h"
#include "program/progress.h"

static TuningSettings tuning = {.steps = 200, .batch = 16};
static size_t score_every = 50;
static const char *from, *save;
static bool overwrite;

const Option tuning_options[] = {
    {"from", OPTION_TEXT, &from, "the model that is tuned", 0, 0},
    {"replay", OPTION_DOUBLE, &tuning.replay, "share of old stories in a batch", 0, 1},
    {"lora", OPTION_SIZE, &tuning.rank,
     "tune a change of so low a rank; 0: all weights", 0, 4096},
    {"answers-only", OPTION_FLAG, &tuning.answers_only,
     "learn the answers, not the stories in front of them", 0, 0},
    {"steps", OPTION_SIZE, &tuning.steps, "steps of tuning", 1, 1e6},
    {"stories", OPTION_SIZE, &tuning.batch, "stories in a batch", 1, 4096},
    {"rate", OPTION_DOUBLE, &tuning.rate,
     "highest learning rate; 0: 0.001, with --lora 0.02", 0, 10},
    {"score-every", OPTION_SIZE, &score_every, "steps between scores", 1, 1e6},
    {"save", OPTION_TEXT, &save, "directory for the tuned model", 0, 0},
    {"overwrite", OPTION_FLAG, &overwrite, "--save replaces a model that is there", 0,
     0},
    {0},
};

void expect_no_tuning(void) {
    for (const Option *o = tuning_options; o->name; o++) {
        if (option_is_given(o->value))
            die_usage("--%s: a model is tuned with --from, without --model", o->name);
    }
}

typedef struct {
    Gpt2 *model;
    Tokenizer *tokenizer;
    Languages languages;
    Directory *directory; /* NULL without --save */
} Run;

/* --- what it starts from, and where it goes --- */

static void open_model(Run *r, uint64_t seed) {
    static const SmallModel size = {
        .n_layer = 2, .d_model = 64, .n_ctx = 64, .steps = 150};
    RunOptions o = run_options;
    o.from = from;
    o.save_directory = save;
    const char *path = start_path(&o);
    if (path) {
        r->model = start_model(path, &o);
        r->tokenizer = family_tokenizer(NULL, path, r->model->config.n_vocab);
        if (!r->tokenizer)
            die("'%s': there is no vocabulary to read stories with", path);
    } else {
        TextModel m = text_model_train(seed, &size);
        r->model = m.model;
        r->tokenizer = m.tokenizer;
    }
}

static void open_directory(Run *r) {
    if (!save) return;
    if (!overwrite && directory_holds_model(save))
        die("directory '%s': holds a model; --overwrite replaces it, another --save "
            "keeps it",
            save);
    r->directory = directory_open(save);
    gpt2_expect_writable(r->directory);
}

static void close_run(Run *r) {
    if (r->directory) {
        family_add_files(r->model, r->tokenizer, r->directory);
        directory_close(r->directory);
        printf("written: %s\n", printable(save, PRINTABLE_MOST).text);
    }
    languages_free(&r->languages);
    gpt2_free(r->model);
    tokenizer_free(r->tokenizer);
}

/* --- the run --- */

/* The likeliest story that begins so, in lines of a terminal. */
static void write_story(const Run *r, const char *beginning) {
    enum { MOST = 60 };
    TextModel m = {r->model, r->tokenizer};
    Prompt prompt = prompt_of_text(&m, beginning, false);
    int *tokens = checked_alloc(prompt.n + MOST, sizeof *tokens);
    memcpy(tokens, prompt.tokens, prompt.n * sizeof *tokens);
    GenerateSettings how = {.sampling = sampling_settings(),
                            .max_new_tokens = MOST,
                            .stop_token = text_model_token(&m, "\\n")};
    how.sampling.greedy = true;
    PlainModel plain = plain_model_create(r->model);
    size_t n = generate(tokens, prompt.n, plain_model(&plain), &how, NULL, NULL, NULL),
           bytes;
    char *text = tokenizer_decode(r->tokenizer, tokens, n, &bytes);
    if (text[bytes - 1] == '\n') text[bytes - 1] = '\0';
    fputs("   ", stdout);
    print_words(stdout, 3, 4, printable(text + 1, PRINTABLE_MOST).text);
    putchar('\n');
    free(text);
    plain_model_free(&plain);
    free(tokens);
    prompt_free(&prompt);
}

static void print_scores(const Run *r, Tuning *t, float loss) {
    const Stories *unseen = r->languages.unseen;
    StoriesScore old_score = stories_score(&unseen[OLD], r->model, &t->tape),
                 new_score = stories_score(&unseen[NEW], r->model, &t->tape);
    if (t->step)
        printf("%6zu %9.4f", t->step, (double)loss);
    else
        printf("%6zu %9s", t->step, "");
    printf(" %12.2f %12.2f", old_score.above, new_score.above);
    if (tuning.answers_only) printf(" %14.3f", new_score.right);
    putchar('\n');
    output_flush();
}

static void tune(Run *r, uint64_t seed) {
    tuning.seed = seed;
    const Stories *text = r->languages.text;
    Tuning t = tuning_create(&tuning, r->model, &text[OLD], &text[NEW]);
    printf("%zu parameters, %zu of them trained; nats a story above the entropy:\n",
           params_count(&r->model->params), t.optimizer.n);
    printf("%6s %9s %12s %12s%s\n", "step", "loss", "old names", "new names",
           tuning.answers_only ? "  right answers" : "");
    print_scores(r, &t, 0);
    Progress bar = progress_begin("tuning", tuning.steps);
    while (t.step < tuning.steps) {
        float loss = tuning_step(&t);
        progress_update(&bar, t.step, "loss %.3f", (double)loss);
        if (t.step % score_every && t.step < tuning.steps) continue;
        progress_end(&bar);
        print_scores(r, &t, loss);
    }
    tuning_free(&t);
}

static void write_both(const Run *r, const char *when) {
    printf("%s:\n", when);
    write_story(r, "\nAnna");
    write_story(r, "\nAda");
}

void tune_as_told(const Settings *settings) {
    Run r = {0};
    open_model(&r, settings->seed);
    r.languages = languages_create(r.tokenizer, settings->seed);
    open_directory(&r);
    write_both(&r, "before");
    tune(&r, settings->seed);
    write_both(&r, "after");
    close_run(&r);
}

Command tune_command = {"tune",
                        "teaches a model a second language",
                        "--from build/model --replay 0.1 --save build/tuned",
                        {tuning_options},
                        tune_as_told};

/* A fine-tuning as a program makes it: see tuning_run.h. */
#include "19-fine-tuning/tuning_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/family.h"
#include "10-gpt2/reading.h"
#include "11-training/start_model.h"
#include "11-training/train.h"
#include "12-generation/generate.h"
#include "12-generation/prompt.h"
#include "13-kv-cache/options.h"
#include "19-fine-tuning/peft.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/unicode.h"
#include "base/words.h"
#include "program/progress.h"

typedef struct {
    const TuningRun *told;
    TextModel m;
    Languages languages;     /* or */
    Dataset text[LANGUAGES]; /* of --text; none of the old one without --old-text */
    size_t length;           /* of a window of --text */
    Directory *model_files, *adapter_files; /* NULL: not to be saved so */
} Run;

/* --- what it starts from, and where it goes --- */

static void expect_free(const TuningRun *told) {
    bool gguf = told->save && is_gguf_path(told->save);
    if (told->save &&
        (gguf ? access(told->save, F_OK) == 0 : directory_holds_model(told->save)))
        die("%s '%s': holds a model; --overwrite replaces it, another name keeps it",
            gguf ? "file" : "directory", told->save);
    if (told->save_adapter && peft_is_there(told->save_adapter))
        die("directory '%s': holds an adapter; --overwrite replaces it, another name "
            "keeps it",
            told->save_adapter);
}

static void expect_file(const char *path) {
    if (is_device_or_pipe(path)) return;
    FileWriter w = file_begin(path);
    file_discard(&w);
}

/* Before the work, not after it. */
static void open_places(Run *r) {
    const TuningRun *told = r->told;
    if (!told->overwrite) expect_free(told);
    if (told->save && is_gguf_path(told->save)) {
        char *directory = path_directory(told->save);
        expect_writable(directory);
        free(directory);
        expect_file(told->save);
    } else if (told->save) {
        r->model_files = directory_open(told->save);
        gpt2_expect_writable(r->model_files);
    }
    if (!told->save_adapter) return;
    r->adapter_files = directory_open(told->save_adapter);
    peft_expect_writable(r->adapter_files);
}

static void open_model(Run *r, uint64_t seed) {
    static const SmallModel size = {
        .n_layer = 2, .d_model = 64, .n_ctx = 64, .steps = 150};
    RunOptions o = run_options;
    o.from = r->told->from;
    o.save_directory = r->told->save;
    o.vocab = reading.vocab;
    const char *path = start_path(&o);
    open_places(r);
    if (path) {
        r->m.model = start_model(path, &o);
        r->m.tokenizer = start_tokenizer(path, &o, r->m.model);
        r->length = start_length(path, &o, r->m.model);
    } else {
        r->m = text_model_train(seed, &size);
    }
}

static Tuning begin(Run *r) {
    const TuningSettings *s = &r->told->tuning;
    const Tokenizer *t = r->m.tokenizer;
    if (!reading.text) {
        r->languages = languages_create(t, s->seed);
        const Stories *text = r->languages.text;
        return tuning_create(s, r->m.model, &text[OLD], &text[NEW]);
    }
    r->text[NEW] = dataset_text(t, reading.text, r->length);
    if (r->told->old_text) r->text[OLD] = dataset_text(t, r->told->old_text, r->length);
    return tuning_create_windows(s, r->m.model, &r->text[OLD], &r->text[NEW],
                                 r->length);
}

static void save(Run *r, const Tuning *t) {
    const TuningRun *told = r->told;
    if (r->adapter_files) {
        const char *base = told->from ? told->from : "";
        peft_save(&t->adapters, r->m.model, base, r->adapter_files);
        directory_close(r->adapter_files);
    }
    if (r->model_files) {
        family_add_files(r->m.model, r->m.tokenizer, r->model_files);
        training_remove(r->model_files);
        directory_close(r->model_files);
    } else if (told->save) {
        family_save(r->m.model, r->m.tokenizer, told->save);
    }
}

static void print_written(const char *path) {
    if (path) printf("written: %s\n", printable(path, PRINTABLE_MOST).text);
}

static void end(Run *r, Tuning *t) {
    prompt_free(&writing.made);
    tuning_free(t);
    languages_free(&r->languages);
    for (size_t l = OLD; l <= NEW; l++) dataset_free(&r->text[l]);
    text_model_free(&r->m);
}

/* --- what it writes --- */

/* The likeliest story that begins so, in lines of a terminal. */
static void write_story(const Run *r, const char *beginning) {
    enum { MOST = 60 };
    Prompt prompt = prompt_of_text(&r->m, beginning, false);
    int *tokens = checked_alloc(prompt.n + MOST, sizeof *tokens);
    memcpy(tokens, prompt.tokens, prompt.n * sizeof *tokens);
    GenerateSettings how = {.sampling = sampling_settings(),
                            .max_new_tokens = MOST,
                            .stop_token = text_model_token(&r->m, "\\n")};
    how.sampling.greedy = true;
    PlainModel plain = plain_model_create(r->m.model);
    size_t n = generate(tokens, prompt.n, plain_model(&plain), &how, NULL, NULL, NULL),
           bytes;
    char *text = tokenizer_decode(r->m.tokenizer, tokens, n, &bytes);
    if (text[bytes - 1] == '\n') text[bytes - 1] = '\0';
    fputs("   ", stdout);
    const char *story = strchr(text, '\n') + 1; /* what ended the text before */
    print_words(stdout, 3, 4, printable(story, PRINTABLE_MOST).text);
    putchar('\n');
    free(text);
    plain_model_free(&plain);
    free(tokens);
    prompt_free(&prompt);
}

/* Of --prompt, or else two stories. */
static void write_texts_now(const Run *r, const char *when, const Settings *settings) {
    if (reading.text && !writing.prompt) return;
    printf("%s:\n", when);
    if (writing.prompt) {
        writing.no_prepare = true; /* the weights will change */
        write_with_cache(&r->m, settings);
        return;
    }
    write_story(r, "\nAnna");
    write_story(r, "\nAda");
}

/* --- its scores --- */

static void print_head(const Run *r, const Tuning *t) {
    bool stories = !reading.text;
    printf("%zu parameters, %zu of them trained; nats a %s:\n",
           params_count(&r->m.model->params), t->optimizer.n,
           stories ? "story above the entropy" : "token");
    printf("%6s %9s %12s %12s%s\n", "step", "loss", stories ? "old names" : "old text",
           stories ? "new names" : "new text",
           t->settings.answers_only ? "  right answers" : "");
}

static void print_story_scores(const Run *r, Tuning *t) {
    const Stories *unseen = r->languages.unseen;
    StoriesScore old_score = stories_score(&unseen[OLD], r->m.model, &t->tape),
                 new_score = stories_score(&unseen[NEW], r->m.model, &t->tape);
    printf(" %12.2f %12.2f", old_score.above, new_score.above);
    if (t->settings.answers_only) printf(" %14.3f", new_score.right);
}

static void print_text_scores(const Run *r, Tuning *t) {
    enum { WINDOWS = 16 };
    for (size_t l = OLD; l <= NEW; l++) {
        if (r->text[l].train.n)
            printf(" %12.4f", tuning_text_loss(t, &r->text[l], WINDOWS));
        else
            printf(" %12s", "");
    }
}

static void print_scores(const Run *r, Tuning *t, float loss) {
    if (t->step)
        printf("%6zu %9.4f", t->step, (double)loss);
    else
        printf("%6zu %9s", t->step, "");
    if (reading.text)
        print_text_scores(r, t);
    else
        print_story_scores(r, t);
    putchar('\n');
    output_flush();
}

static void tune(const Run *r, Tuning *t) {
    size_t steps = t->settings.steps;
    print_head(r, t);
    print_scores(r, t, 0);
    Progress bar = progress_begin("tuning", steps);
    while (t->step < steps) {
        float loss = tuning_step(t);
        progress_update(&bar, t->step, "loss %.3f", (double)loss);
        if (t->step % r->told->score_every && t->step < steps) continue;
        progress_end(&bar);
        print_scores(r, t, loss);
    }
}

void tuning_run(const TuningRun *told, const Settings *settings) {
    Run r = {.told = told};
    open_model(&r, settings->seed);
    Tuning t = begin(&r);
    if (writing.prompt) writing.made = writing_prompt(&r.m); /* stdin is read once */
    write_texts_now(&r, "before", settings);
    tune(&r, &t);
    save(&r, &t); /* first: nothing may cost the work */
    if (told->tuning.steps) write_texts_now(&r, "after", settings);
    print_written(told->save_adapter);
    print_written(told->save);
    end(&r, &t);
}

/* Tests of the last program's commands on models of both families: what convert writes
 * is read as the model that was coded in memory, and every way of writing runs. */
#include "18-llama/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "11-training/training_run.h"
#include "13-kv-cache/options.h"
#include "14-compression/options.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/golden.h"
#include "check/remove_tree.h"
#include "checkpoints/safetensors.h"
#include "math/fit.h"

static const char *const models[] = {"llama/smol", "llama/qwen", "llama/llama3",
                                     "tiny_gpt2"};
enum { N_MODELS = sizeof models / sizeof *models };

/* The words of one command line, by blanks; "%m" is the model, "%d" the directory. */
typedef struct {
    const char *line, *model, *directory;
} Call;

static void call(void *argument) {
    const Call *c = argument;
    static char text[1000];
    char *argv[40] = {"gpt"};
    int argc = 1, at = 0;
    for (const char *p = c->line; *p; p++) {
        const char *word = strncmp(p, "%m", 2) == 0   ? golden_path(c->model)
                           : strncmp(p, "%d", 2) == 0 ? c->directory
                                                      : NULL;
        if (word && p++) at += sprintf(text + at, "%s", word);
        if (!word) text[at++] = *p;
    }
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    if (!freopen("/dev/null", "w", stdout)) abort();
    coding_start();
    llama_start();
    program_run(argc, argv,
                &(Program){.name = "gpt",
                           .commands = {&write_command, &chat_command, &train_command,
                                        &eval_command, &info_command, &dump_command,
                                        &convert_command}});
}

static void expect_runs(const char *line, const char *model, const char *directory) {
    char message[1024];
    int code = exit_code_of(call, &(Call){line, model, directory}, message);
    CHECK(code == 0, "%s of %s: exit code %d: %s", line, model, code, message);
}

static char directory[40];

static void begin(void) {
    strcpy(directory, "/tmp/options-XXXXXX");
    CHECK(mkdtemp(directory) != NULL, "cannot make a directory in /tmp");
}

static void end(void) {
    remove_tree(directory);
}

static float *dumped_logits(const char *name, size_t *n) {
    char path[80];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    SafeTensors file = safetensors_open(path);
    const SafeTensor *t = safetensors_find(&file, "logits");
    *n = t->size;
    float *logits = calloc(t->size, sizeof *logits);
    safetensors_to_float(logits, t);
    safetensors_close(&file);
    return logits;
}

TestSuite(options, .init = begin, .fini = end);

Test(options, converted_is_coded_in_memory, .timeout = 120) {
    static const char *const codecs[] = {"q8_0", "q4_0", "f16"};
    for (size_t i = 0; i < 3 * N_MODELS; i++) {
        char coded[200], convert[200];
        snprintf(coded, sizeof coded,
                 "dump --model %%m --codec %s --ids 1,2,3,4,5 --out %%d/coded",
                 codecs[i / N_MODELS]);
        snprintf(convert, sizeof convert,
                 "convert --model %%m --codec %s --out %%d/x.gguf",
                 codecs[i / N_MODELS]);
        const char *model = models[i % N_MODELS];
        expect_runs(coded, model, directory);
        expect_runs(convert, model, directory);
        expect_runs("dump --model %d/x.gguf --ids 1,2,3,4,5 --out %d/read", model,
                    directory);
        size_t n, n_read;
        float *memory = dumped_logits("coded", &n),
              *file = dumped_logits("read", &n_read);
        CHECK(n == n_read, "%zu logits, expected %zu", n_read, n);
        double difference = largest_difference(file, memory, n);
        CHECK(difference < 1e-5, "%s, %s: logits differ by %g", model, convert,
              difference);
        free(memory), free(file);
    }
}

/* The same model in another form: logits to the bit. */
Test(options, converted_as_it_is, .timeout = 60) {
    for (size_t i = 0; i < N_MODELS; i++) {
        expect_runs("convert --model %m --out %d/x.gguf", models[i], directory);
        expect_runs("convert --model %d/x.gguf --out %d/again", models[i], directory);
        expect_runs("dump --model %m --ids 1,2,3 --out %d/one", models[i], directory);
        expect_runs("dump --model %d/again --ids 1,2,3 --out %d/two", models[i],
                    directory);
        size_t n, n_two;
        float *one = dumped_logits("one", &n), *two = dumped_logits("two", &n_two);
        CHECK(n == n_two && memcmp(one, two, n * sizeof *one) == 0,
              "%s: other logits after two conversions", models[i]);
        free(one), free(two);
    }
}

Test(options, every_way_of_writing, .timeout = 120) {
    static const char *const lines[] = {
        "write --model %m --ids 1,2,3 --print-ids --max-new-tokens 8 --window 4 "
        "--sinks 2",
        "write --model %m --ids 1;2,3 --batch --print-ids --max-new-tokens 4",
        "write --model %m --ids 1,2 --no-cache --print-ids --max-new-tokens 4",
        "write --model %m --bench --bench-positions 3 --out %d",
        "write --model %m --codec q4_0 --integer --ids 1 --print-ids "
        "--max-new-tokens 4",
        "info --model %m"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        for (size_t m = 0; m < N_MODELS; m++)
            expect_runs(lines[i], models[m], directory);
    }
}

/* A training of either family is read again by what measures and writes. */
Test(options, trained_and_used, .timeout = 60) {
    static const char *const families[] = {"llama", "gpt2"};
    for (size_t i = 0; i < 2; i++) {
        char train[200];
        snprintf(train, sizeof train,
                 "train --family %s --steps 2 --layers 1 --width 16 --heads 2 "
                 "--context 16 --batch 2 --threads 1 --save %%d/%s",
                 families[i], families[i]);
        expect_runs(train, models[0], directory);
        char use[100];
        snprintf(use, sizeof use, "eval --model %%d/%s --text LICENSE", families[i]);
        expect_runs(use, models[0], directory);
        snprintf(use, sizeof use, "write --model %%d/%s --prompt a --max-new-tokens 4",
                 families[i]);
        expect_runs(use, models[0], directory);
    }
}

Test(options, refusals, .timeout = 60) {
    static const char *const bad[][2] = {
        {"write --ids 1", "write: a --model is needed"},
        {"chat --model %m", "chat: --model PATH and --prompt are needed"},
        {"eval --model %m", "eval: --model PATH and --text FILE are needed"},
        {"dump --model %m --ids 1", "dump: --model PATH, --ids and --out FILE"},
        {"convert --model %m", "convert: --model PATH and --out PATH are needed"},
        {"convert --model %m --codec q4_0 --out %d/x", "no weights of type Q4_0"},
        {"convert --model %m --codec rbe --out %d/x.gguf", "no weights of type RBE"},
        {"train --model %m", "--model: belongs to write, chat, eval, info"},
        {"dump --model %m --codec q8_0 --ids 1,2 --grad --out %d/x",
         "--grad: is of floats"},
        {"train --family bert", "--family 'bert': expected llama or gpt2"},
        {"train --family gpt2 --kv-heads 1", "belong to --family llama"},
        {"write --steps 1", "--steps: belongs to train"},
        {"learn", "'learn': expected a command: write, chat,"},
        {"--model %m", "--model: belongs to write,"},
        {"--threads 1", "a command is missing"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_exit(2, bad[i][1], call, &(Call){bad[i][0], "llama/smol", directory});
}

/* Tests of what the programs of chapters 12 and 13 share:
 * the prompt, the stop token, and the command line. */
#include "12-generation/writing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "12-generation/options.h"
#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "files/file.h"
#include "check/golden.h"

/* A model of bytes that never ran. */
static TextModel byte_model(void) {
    Gpt2Config config = gpt2_config(257, 16, 1, 1, 4);
    return (TextModel){.model = gpt2_create(&config, PARAMS_INFER, NULL),
                       .tokenizer = tokenizer_bytes()};
}

Test(writing, prompt, .timeout = 10) {
    TextModel m = byte_model();
    Prompt p = prompt_of_text(&m, "ab", false);
    CHECK(p.n == 2 && p.tokens[0] == 'a' && p.tokens[1] == 'b', "'ab' is not 97 98");
    p = prompt_of_text(&m, "", false);
    CHECK(p.n == 1 && p.tokens[0] == 256, "an empty prompt is not <|endoftext|>");
    p = prompt_of_text(&m, "a" END_OF_TEXT "b", true);
    CHECK(p.n == 3 && p.tokens[1] == 256, "with --special there are %zu tokens", p.n);
    p = prompt_of_text(&m, "a" END_OF_TEXT "b", false);
    CHECK(p.n == 15, "without --special there are %zu tokens", p.n);
    p = prompt_of_ids(&m, "7, 8 9", NULL);
    CHECK(p.n == 3 && p.tokens[2] == 9, "'7, 8 9' is not three ids");
    p = prompt_of_ids(&m, "7, 8 9", "0 1 1");
    CHECK(p.n == 2 && p.tokens[0] == 8, "padding in front is a part of the prompt");
}

Test(writing, prompt_from_standard_input, .timeout = 10) {
    TextModel m = byte_model();
    FILE *file = tmpfile();
    fputs("x\ny", file);
    rewind(file);
    dup2(fileno(file), STDIN_FILENO);
    Prompt p = prompt_of_text(&m, "-", false);
    CHECK(p.n == 3 && p.tokens[0] == 'x' && p.tokens[1] == '\n' && p.tokens[2] == 'y',
          "standard input 'x y' became %zu tokens", p.n);
}

Test(writing, stop_token, .timeout = 10) {
    TextModel m = byte_model();
    CHECK(text_model_token(&m, "13") == 13, "'13' is an id");
    CHECK(text_model_token(&m, "a") == 'a', "'a' is one token");
    CHECK(text_model_token(&m, "\\n") == '\n', "backslash n is a line feed");
    CHECK(text_model_token(&m, END_OF_TEXT) == 256, END_OF_TEXT " is one token");
}

static void two_tokens(void *unused) {
    (void)unused;
    TextModel m = byte_model();
    text_model_token(&m, "ab");
}

static void no_such_id(void *unused) {
    (void)unused;
    TextModel m = byte_model();
    text_model_token(&m, "257");
}

static void no_vocabulary(void *unused) {
    (void)unused;
    TextModel m = text_model_load(golden_path("tiny_gpt2"));
    prompt_of_text(&m, "Hello", false);
}

static void id_out_of_range(void *unused) {
    (void)unused;
    TextModel m = text_model_load(golden_path("tiny_gpt2"));
    prompt_of_ids(&m, "1 97", NULL);
}

Test(writing, errors, .timeout = 60) {
    expect_exit(1, "stop token 'ab': 2 tokens of this vocabulary, expected one",
                two_tokens, NULL);
    expect_exit(1, "--stop-token: '257': expected numbers from 0 to 256", no_such_id,
                NULL);
    expect_exit(1, "no vocab.json", no_vocabulary, NULL);
    expect_exit(1, "'97': expected numbers from 0 to 96", id_out_of_range, NULL);
}

/* --- the command line, as both programs read it --- */

static void write_like_the_program(const Settings *settings) {
    TextModel m = writing_model(settings->seed);
    Prompt prompt = writing_prompt(&m);
    GenerateSettings how = writing_settings(&m);
    Transcript transcript = transcript_create(m.tokenizer, writing.print_ids);
    PlainModel plain = plain_model_create(m.model);
    write_texts(&transcript, plain_model(&plain), &prompt, &how, writing.n_texts,
                settings->seed);
}

typedef struct {
    const char *arguments[16]; /* ends with NULL; the golden model is given already */
    const char *output;        /* a file for standard output, or NULL */
} Call;

static void call(void *argument) {
    const Call *c = argument;
    char *argv[24] = {"12-generation", "--model", (char *)golden_path("tiny_gpt2")};
    int argc = 3;
    while (c->arguments[argc - 3]) {
        argv[argc] = (char *)c->arguments[argc - 3];
        argc++;
    }
    if (!freopen(c->output ? c->output : "/dev/null", "w", stdout)) abort();
    program_run(argc, argv,
                &(Program){.name = "12-generation",
                           .summary = "",
                           .example = "",
                           .options = {model_options, ids_options, writing_options},
                           .demo = write_like_the_program});
}

#define CALL(...) (&(Call){.arguments = {__VA_ARGS__}})

/* Greedy text past the context, and the oracle's ids on standard output. */
Test(writing, golden_text_from_the_command_line, .timeout = 60) {
    static const char family[] = "tiny_gpt2/golden_f64";
    size_t n_prompt, n_new, bytes;
    const int *prompt = golden_int(family, NULL, "prompt", &n_prompt),
              *new = golden_int(family, NULL, "greedy_crop", &n_new);
    char ids[200] = "", expected[1000] = "", count[20], message[1024],
         path[] = "/tmp/writing-XXXXXX";
    for (size_t i = 0; i < n_prompt; i++) sprintf(ids + strlen(ids), "%d ", prompt[i]);
    strcat(expected, ids);
    for (size_t i = 0; i < n_new; i++)
        sprintf(expected + strlen(expected), i + 1 < n_new ? "%d " : "%d\n", new[i]);
    sprintf(count, "%zu", n_new);
    CHECK(mkstemp(path) >= 0, "no temporary file");
    Call c = {.arguments = {"--ids", ids, "--greedy", "--crop", "--print-ids",
                            "--max-new-tokens", count},
              .output = path};
    int code = exit_code_of(call, &c, message);
    char *got = file_read(path, &bytes);
    remove(path);
    CHECK(code == 0 && strcmp(got, expected) == 0,
          "exit code %d (%s): got %s, expected %s", code, message, got, expected);
    CHECK(strstr(message, "29 tokens in ") && strstr(message, "tokens/s") &&
              strstr(message, "p95"),
          "the statistics are: %s", message);
}

Test(writing, stops_at_the_end_of_the_context, .timeout = 60) {
    char message[1024];
    int code = exit_code_of(
        call, CALL("--ids", "1 2 3", "--greedy", "--max-new-tokens", "30"), message);
    CHECK(code == 0 &&
              strstr(message,
                     "stopped after 22 new tokens: the model's context of 24 is full"),
          "exit code %d: %s", code, message);
}

Test(writing, wrong_values, .timeout = 60) {
    expect_exit(2, "--temperature '0': expected a number", call,
                CALL("--ids", "1", "--temperature", "0"));
    expect_exit(2, "--top-p '0': expected a number", call,
                CALL("--ids", "1", "--top-p", "0"));
    expect_exit(2, "--top-p '2': expected a number", call,
                CALL("--ids", "1", "--top-p", "2"));
    expect_exit(2, "--top-k '-1': expected a whole number", call,
                CALL("--ids", "1", "--top-k", "-1"));
    expect_exit(2, "--repetition-penalty '0'", call,
                CALL("--ids", "1", "--repetition-penalty", "0"));
    expect_exit(2, "--min-new-tokens 9: expected at most --max-new-tokens 5", call,
                CALL("--ids", "1", "--max-new-tokens", "5", "--min-new-tokens", "9"));
    expect_exit(2, "--ids and --prompt: expected one of them", call,
                CALL("--ids", "1", "--prompt", "a"));
    expect_exit(1, "--ids: '97': expected numbers from 0 to 96", call,
                CALL("--ids", "1 97"));
    expect_exit(1, "'-1'", call, CALL("--ids", "-1"));
    expect_exit(1, "--ids: '': expected numbers from 0 to 96", call, CALL("--ids", ""));
    expect_exit(1, "no vocab.json", call, CALL("--prompt", "Hello"));
    expect_exit(1, "stop token '5 6': 2 tokens", call,
                CALL("--ids", "1", "--stop-token", "5 6"));
}

/* Nothing of the prompt is printed in front of the message. */
Test(writing, prompt_longer_than_the_context, .timeout = 60) {
    size_t bytes;
    char path[] = "/tmp/writing-XXXXXX";
    close(mkstemp(path));
    Call c = {.arguments =
                  {"--ids",
                   "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25"},
              .output = path};
    expect_exit(1, "the prompt has 25 tokens: the model's context is 24", call, &c);
    free(file_read(path, &bytes));
    remove(path);
    CHECK(bytes == 0, "%zu bytes were printed", bytes);
}

static void write_on(void *unused) {
    (void)unused;
    close(STDOUT_FILENO);
    reading.model = golden_path("tiny_gpt2");
    reading.ids = "1";
    writing.crop = true;
    writing.max_new_tokens = 1000000; /* longer than the test may take */
    write_like_the_program(&(Settings){0});
}

Test(writing, stops_when_nobody_reads, .timeout = 20) {
    expect_exit(1, "cannot write to standard output", write_on, NULL);
}

/* An error between two tokens, where the text and the message go to the same place. */
static void fail_while_writing(void *transcript) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    transcript_token(transcript, 'a');
    transcript_token(transcript, 'b');
    die("an error");
}

Test(writing, an_error_has_its_own_line, .timeout = 10) {
    char message[1024];
    Tokenizer *bytes = tokenizer_bytes();
    Transcript text = transcript_create(bytes, false),
               ids = transcript_create(bytes, true);
    exit_code_of(fail_while_writing, &text, message);
    CHECK(strcmp(message, "ab\nprogram: an error\n") == 0, "printed '%s'", message);
    exit_code_of(fail_while_writing, &ids, message);
    CHECK(strcmp(message, "97 98\nprogram: an error\n") == 0, "printed '%s'", message);
}

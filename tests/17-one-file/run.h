/* Runs the program of exercise 17/gpt2 as a user would, and catches what it writes.
 * What it was told stands in messages, so that a learner can type it. */
#ifndef TESTS_17_RUN_H
#define TESTS_17_RUN_H

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "17-one-file/gpt2.h"
#include "base/error.h"
#include "base/memory.h"
#include "check/check.h"

enum { MOST_OUTPUT = 1 << 20, MOST_ARGUMENTS = 20 };

typedef struct {
    char *out, *err;
    char command[600];
    size_t n_out;
    int code; /* of its end, or -1: a signal ended it */
} Ran;

/* Why a program that takes longer than these seconds may do so. */
static const char *too_slow = "an endless loop?";
static unsigned most_seconds = 10;

/* A FIFO that standard output goes to, and `--logits` too; NULL: a pipe of its own. */
static const char *one_stream;

static bool open_output(int out[2]) {
    if (!one_stream) return pipe(out) == 0;
    out[0] = open(one_stream, O_RDONLY | O_NONBLOCK);
    out[1] = open(one_stream, O_WRONLY);
    return out[1] >= 0 && fcntl(out[0], F_SETFL, 0) == 0;
}

static void become_program(char **arguments, int out, int err) {
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    struct rlimit most = {most_seconds, most_seconds + 1};
    setrlimit(RLIMIT_CPU, &most);
    signal(SIGVTALRM, SIG_DFL);
    /* Memory that a program holds when it ends is no mistake. */
    setenv("ASAN_OPTIONS", "detect_leaks=0", 0);
    execv(gpt2_program, arguments);
    _exit(127);
}

static size_t read_all(int from, char *to) {
    size_t n = 0;
    for (ssize_t got; n < MOST_OUTPUT; n += (size_t)got) {
        got = read(from, to + n, MOST_OUTPUT - n);
        if (got <= 0) break;
    }
    to[n] = 0;
    return n;
}

/* A stage that is not written ends the test, as EXERCISE_TODO does elsewhere. */
static void expect_written(const char *err) {
    const char *todo = strstr(err, " is not written yet: ");
    if (!todo) return;
    const char *stage = strstr(todo, ": ") + 2;
    fprintf(stderr, "%.*s: exercise 17/gpt2 is not written yet\n",
            (int)strcspn(stage, "\n"), stage);
    _exit(EXIT_TODO);
}

static void expect_end(const Ran *ran, int status) {
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    CHECK(number != SIGXCPU && number != SIGKILL, "%scomputes for %u seconds: %s",
          ran->command, most_seconds, too_slow);
    CHECK(number == 0, "%scrashed (signal %d, %s)", ran->command, number,
          strsignal(number));
    bool stopped = strstr(ran->err, "ERROR: AddressSanitizer") ||
                   strstr(ran->err, "runtime error: ");
    if (!stopped) return;
    fprintf(stderr, "%s", ran->err); /* is read by what tells of sanitizers */
    _exit(EXIT_INPUT);
}

/* arguments [n]: without the program's own name. */
static Ran run_words(const char *const *arguments, size_t n) {
    char *words[MOST_ARGUMENTS + 2] = {"./gpt2"};
    int out[2], status;
    FILE *err = tmpfile();
    CHECK(n <= MOST_ARGUMENTS && err && open_output(out),
          "the test cannot run a program");
    for (size_t i = 0; i < n; i++) words[i + 1] = (char *)arguments[i];
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) become_program(words, out[1], fileno(err));
    close(out[1]);
    Ran ran = {.out = checked_alloc(MOST_OUTPUT + 1, 1),
               .err = checked_alloc(MOST_OUTPUT + 1, 1)};
    ran.n_out = read_all(out[0], ran.out);
    close(out[0]);
    waitpid(child, &status, 0);
    rewind(err);
    lseek(fileno(err), 0, SEEK_SET);
    read_all(fileno(err), ran.err);
    fclose(err);
    expect_written(ran.err);
    char *to = ran.command; /* the same in every run, whose processes' files differ */
    for (size_t i = 0; i <= n; i++) {
        const char *word =
            i > 0 && !strcmp(words[i - 1], "--logits") ? "out" : words[i];
        to += snprintf(to, sizeof ran.command / 4,
                       strpbrk(word, " \n'") ? "\"%.99s\" " : "%.99s ", word);
    }
    expect_end(&ran, status);
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

#define RUN(...)                                                                       \
    run_words((const char *const[]){__VA_ARGS__},                                      \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Its output must be a success. */
static char *output_of(Ran ran) {
    CHECK(ran.code == 0, "%sended with exit code %d, saying: %.200s", ran.command,
          ran.code, ran.err);
    return ran.out;
}
#define OUTPUT(...) output_of(RUN(__VA_ARGS__))

/* `why` is wrong with what it was given: exit code 1, one line that has `word`. */
static void expect_refused(Ran ran, const char *why, const char *word) {
    const char *end = strchr(ran.err, '\n');
    CHECK(ran.code != 0, "%sdoes not refuse %s: it writes \"%.60s\"", ran.command, why,
          ran.out);
    CHECK(ran.code == 1, "exit code %d for %s, expected 1", ran.code, why);
    CHECK(end && end[1] == 0 && end != ran.err,
          "expected one line on standard error for %s, got: \"%.200s\"", why, ran.err);
    CHECK(strstr(ran.err, word), "what is said of %s does not name %s: %.200s", why,
          word, ran.err);
}

#endif

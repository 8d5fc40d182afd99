/* Questions of tools/learner's scripts about a run's output (tests/support/verdict):
 * reads files, and writes the answer to standard output.
 *
 *   verdict list output=FILE [binary=FILE] [notes=FILE] [also=FILE] [names=TEXT]
 *                [full=1]
 *   verdict first ... [stages=FILE] [warnings=FILE] [step=COMMAND] [hint=COMMAND]
 *                 [columns=N]
 *   verdict notes output=FILE [one=FILE] [zeros=FILE] [filled=FILE] [races=FILE]
 *   verdict bits output=FILE other=FILE threads=TEXT
 *   verdict leaks output=FILE file=NN-name/exercise.c
 *   verdict races output=FILE source=FILE [variables=TEXT]
 *   verdict fails output=FILE said=FILE [tap=1]
 *   verdict junit exercise=NN-name/exercise names=TEXT tap=FILE said=TEXT why=TEXT
 *   verdict readable                     standard input, fit for a terminal
 *
 * A missing file counts as empty. binary is the program that ran: its name ends in
 * NN-name/exercise, and addr2line gives a crash's line. In a page, where no process can
 * be started, places=FILE has addr2line's answers: an address, a function and a place,
 * in three lines each. */
#define _GNU_SOURCE /* popen */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "verdict/junit.h"
#include "verdict/notes.h"
#include "verdict/reports.h"
#include "verdict/text.h"
#include "verdict/verdict.h"

static char **given;
static Pool texts; /* of files: what answers are made of */

/* The value of a key, or NULL. */
static const char *value(const char *key) {
    size_t n = strlen(key);
    for (char **g = given; *g; g++)
        if (strncmp(*g, key, n) == 0 && (*g)[n] == '=') return *g + n + 1;
    return NULL;
}

static const char *text_value(const char *key) {
    return value(key) ? value(key) : "";
}

/* All of a stream; a byte 0 becomes "?", so that it does not end the text. */
static char *read_all(FILE *file) {
    enum { BLOCK = 1 << 16 };
    char *text = NULL;
    size_t n = 0, got = BLOCK;
    while (got == BLOCK) {
        text = checked_realloc(text, n + BLOCK + 1, 1);
        got = fread(text + n, 1, BLOCK, file);
        n += got;
    }
    for (size_t i = 0; i < n; i++)
        if (text[i] == '\0') text[i] = '?';
    text[n] = '\0';
    return text;
}

/* The text of the file that a key names; NULL where there is none. */
static char *file_value(const char *key) {
    const char *path = value(key);
    FILE *file = path && *path ? fopen(path, "rb") : NULL;
    if (!file) return NULL;
    char *text = read_all(file), *kept = pool_cut(&texts, text, text + strlen(text));
    free(text);
    fclose(file);
    return kept;
}

static const char *output_of(const char *key) {
    char *text = file_value(key);
    return text ? text : "";
}

#ifdef __wasm__
/* The two lines of each address, from places=FILE. */
static char *lines_of(void *context, const char *addresses) {
    (void)context;
    Text lines = {0};
    Pool pool = {0};
    for (const char *word; (word = next_word(&pool, &addresses));) {
        const char *at = output_of("places");
        for (char *address; (address = next_line(&pool, &at));) {
            const char *function = next_line(&pool, &at),
                       *place = next_line(&pool, &at);
            if (same_text(address, word) && function && place)
                text_add(&lines, "%s\n%s\n", function, place);
        }
    }
    pool_free(&pool);
    return text_take(&lines);
}
#else
/* addr2line is given to the shell with the path in quotes: a path may be anything. */
static char *lines_of(void *context, const char *addresses) {
    const char *binary = context;
    Text command = {0};
    text_add(&command, "addr2line -f -e '");
    for (const char *c = binary; *c; c++)
        text_add(&command, *c == '\'' ? "'\\''" : "%c", *c);
    text_add(&command, "'%s 2>/dev/null", addresses);
    char *line = text_take(&command), *lines = NULL;
    FILE *pipe = strspn(addresses, " 0123456789abcdefx") == strlen(addresses)
                     ? popen(line, "r")
                     : NULL;
    if (pipe) {
        lines = read_all(pipe);
        pclose(pipe);
    }
    free(line);
    return lines ? lines : checked_strdup("");
}
#endif

/* ".../NN-name/exercise" -> "NN-name/exercise.c" */
static char *file_of(const char *binary) {
    const char *name = strrchr(binary, '/');
    while (name && name > binary && name[-1] != '/') name--;
    return pool_format(&texts, "%s.c", name ? name : binary);
}

static const char *root(void) {
    static char path[4096];
    return getcwd(path, sizeof path) ? path : "";
}

static VerdictInput verdict_input(void) {
    const char *binary = value("binary"), *columns = value("columns");
    char *also = file_value("also");
    if (also) also[strcspn(also, "\n")] = '\0';
    return (VerdictInput){.output = output_of("output"),
                          .notes = file_value("notes"),
                          .names = value("names"),
                          .also = also,
                          .stages = file_value("stages"),
                          .warnings = file_value("warnings"),
                          .file = binary ? file_of(binary) : NULL,
                          .root = root(),
                          .lines_of = binary ? lines_of : NULL,
                          .context = (void *)binary,
                          .full = value("full") && *value("full"),
                          .columns = columns ? strtoul(columns, NULL, 10) : 80,
                          .step = value("step"),
                          .hint = value("hint")};
}

static char *answer(const char *command) {
    if (same_text(command, "list") || same_text(command, "first")) {
        VerdictInput input = verdict_input();
        return *command == 'l' ? verdict_list(&input) : verdict_first(&input);
    }
    if (same_text(command, "notes"))
        return notes_of(&(FurtherRuns){.many = output_of("output"),
                                       .one = file_value("one"),
                                       .zeros = file_value("zeros"),
                                       .filled = file_value("filled"),
                                       .races = file_value("races")});
    if (same_text(command, "bits"))
        return other_bits(output_of("output"), output_of("other"),
                          text_value("threads"));
    if (same_text(command, "leaks"))
        return leaks_of(output_of("output"), text_value("file"), root());
    if (same_text(command, "races"))
        return races_of(output_of("output"), text_value("source"), output_of("source"),
                        text_value("variables"));
    if (same_text(command, "fails"))
        return let_fail(output_of("output"), output_of("said"), value("tap") != NULL);
    if (same_text(command, "junit"))
        return junit_result(&(JunitInput){.exercise = text_value("exercise"),
                                          .names = text_value("names"),
                                          .tap = output_of("tap"),
                                          .said = text_value("said"),
                                          .why = text_value("why")});
    if (!same_text(command, "readable")) return NULL;
    char *text = read_all(stdin);
    make_readable(text);
    return text;
}

int main(int argc, char **argv) {
    given = argv + (argc > 1 ? 2 : 1);
    char *text = argc > 1 ? answer(argv[1]) : NULL;
    if (!text) {
        fprintf(stderr, "verdict: no such command: its source says which there are\n");
        return 2;
    }
    fputs(text, stdout);
    free(text);
    pool_free(&texts);
    return fflush(stdout) != 0;
}

/* Programs that stand alone: see alone.h. */
#include "17-one-file/problems/alone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "files/file.h"
#include "program/problem.h"

static const char headers[] =
    " assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h "
    "locale.h math.h setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h "
    "stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h time.h uchar.h "
    "wchar.h wctype.h ";

/* `at` is behind #include. */
static void expect_standard(const char *source, const char *at) {
    char name[64] = "", word[70];
    sscanf(at, " <%60[^>\n]", name);
    snprintf(word, sizeof word, " %s ", name);
    if (!*name || !strstr(headers, word))
        die("%s includes%.*s: expected the standard library's headers, without "
            "threads",
            source, (int)strcspn(at, "\n"), at);
}

static void expect_alone(const char *source, const char *line) {
    const char *at = line + strspn(line, " \t");
    if (*at++ != '#') return;
    at += strspn(at, " \t");
    if (strncmp(at, "include", 7) == 0) expect_standard(source, at + 7);
    if (strncmp(at, "pragma omp", 10) == 0) die("%s: has more than one thread", source);
}

size_t lines_alone(const char *problem, const char *source) {
    size_t bytes, lines = 0;
    char *text = file_read(source, &bytes), *line = text;
    if (strstr(text, "PROBLEM_TODO(")) problem_todo(problem, source, 1);
    expect_alone(source, line);
    while ((line = strchr(line, '\n'))) {
        lines++;
        expect_alone(source, ++line);
    }
    free(text);
    return lines;
}

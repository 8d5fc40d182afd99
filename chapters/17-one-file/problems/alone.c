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

/* `at` stands behind #include. */
static void expect_standard(const char *source, const char *at) {
    char name[64] = "", word[70];
    sscanf(at, " <%60[^>\n]", name);
    snprintf(word, sizeof word, " %s ", name);
    if (!*name || !strstr(headers, word))
        die("%s includes %.*s: expected the standard library's headers, without "
            "threads",
            source, (int)strcspn(at, "\n"), at);
}

size_t lines_alone(const char *problem, const char *source) {
    static const char include[] = "#include ";
    size_t bytes, lines = 0;
    char *text = file_read(source, &bytes);
    if (strstr(text, "PROBLEM_TODO(")) problem_todo(problem, source, 1);
    if (strstr(text, "#pragma omp")) die("%s: has more than one thread", source);
    for (const char *at = text; (at = strstr(at, include)); at++)
        expect_standard(source, at + strlen(include));
    for (const char *end = text; (end = strchr(end, '\n')); end++) lines++;
    free(text);
    return lines;
}

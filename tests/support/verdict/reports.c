/* See reports.h. */
#include "verdict/reports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdict/run.h"

/* The last word of a line. */
static const char *last_word(const char *line) {
    const char *blank = strrchr(line, ' ');
    return blank ? blank + 1 : line;
}

/* "    #3 ..." -> 3; 0 for what is no frame. */
static long frame_number(const char *line) {
    const char *at = line + strspn(line, " ");
    return at > line && *at == '#' ? strtol(at + 1, NULL, 10) : 0;
}

/* --- leaks ------------------------------------------------------------------- */

/* The function that has taken the memory: the first below malloc that is none of
 * common/. */
char *leaks_of(const char *output, const char *file, const char *root) {
    Pool pool = {0};
    Text text = {0};
    const char *test = "";
    bool told = false, direct = false;
    for (char *line; (line = next_line(&pool, &output));) {
        if (begins_with(line, "[RUN ] ")) {
            test = test_name(&pool, line + 7);
            told = direct = false;
        }
        if (strstr(line, "False leaks are possible")) told = true;
        if (begins_with(line, "Direct leak of ")) direct = true;
        if (begins_with(line, "Indirect leak of ")) direct = false;
        if (frame_number(line) < 1) continue;
        const char *place = last_word(line);
        if (strstr(place, "common/tensor/arena.c:")) direct = false;
        if (!direct || strstr(place, "/common/") || begins_with(place, "common/"))
            continue;
        if (!told && is_in_file(line, file, root)) {
            told = true;
            text_add(&text,
                     "%s: memory is not given back: this is what you get when what "
                     "%s takes is not freed\n",
                     test, below(root, place));
        }
        direct = false;
    }
    pool_free(&pool);
    return text_take(&text);
}

/* --- races ------------------------------------------------------------------- */

/* The code of a line, without the blanks around it. */
static const char *line_of(Pool *pool, const char *source, long number) {
    char *line = "";
    for (long i = 0; i < number && line; i++) line = next_line(pool, &source);
    if (!line) return "";
    line += strspn(line, " \t");
    size_t n = strlen(line);
    while (n && strchr(" \t", line[n - 1])) line[--n] = '\0';
    return line;
}

static void add_race(Text *to, Pool *pool, const char *file, const char *source,
                     const long at[2]) {
    long line = at[0] ? at[0] : at[1], other = at[1] ? at[1] : at[0];
    bool same = line == other;
    if (same)
        text_add(to, "two threads write to the same place in %s:%ld", file, line);
    else
        text_add(to, "one thread writes to what another uses, in %s:%ld and line %ld",
                 file, line, other);
    text_add(
        to,
        ", `%.90s`: this is what you get when threads share a sum, a variable or "
        "scratch%s; declare it inside the loop, or give each row, chunk or thread one "
        "of its own, and add sums up behind the loop (lesson 15, parallel_sum)\n",
        line_of(pool, source, line),
        same ? "" : ", or one reads beyond its own part, where another writes");
}

/* "  Previous write of size 4 at ..." */
static bool is_use(const char *line) {
    if (!begins_with(line, "  ") || !strstr(line, " of size ")) return false;
    line += 2;
    if (begins_with(line, "Previous ")) line += strlen("Previous ");
    if (begins_with(line, "atomic ")) line += strlen("atomic ");
    return begins_with(line + 1, "rite of size ") ||
           begins_with(line + 1, "ead of size ");
}

/* "  Location is heap block", "  Thread T1 (tid=...": what follows is not the uses. */
static bool is_other_part(const char *line) {
    if (!begins_with(line, "  ") || line[2] < 'A' || line[2] > 'Z') return false;
    size_t word =
        2 + strspn(line + 2, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return begins_with(line + word, " is ") ||
           (begins_with(line + word, " T") && strchr("0123456789", line[word + 2]));
}

/* Both uses of the place, each with the innermost line that is the learner's. */
char *races_of(const char *output, const char *file, const char *source) {
    Pool pool = {0};
    Text text = {0};
    long at[2] = {0, 0};
    size_t uses = 0;
    bool in_report = false;
    const char *place = pool_format(&pool, "%s:", file);
    for (char *line; (line = next_line(&pool, &output));) {
        if (begins_with(line, "WARNING: ThreadSanitizer: data race")) {
            in_report = true;
            uses = 0;
        } else if (begins_with(line, "SUMMARY: ThreadSanitizer")) {
            in_report = false;
        } else if (in_report && is_use(line)) {
            if (uses < 2) at[uses] = 0;
            uses++;
        } else if (in_report && is_other_part(line)) {
            in_report = false;
        } else if (in_report && uses > 0 && uses <= 2 && !at[uses - 1]) {
            const char *found = strstr(line, place);
            if (found) at[uses - 1] = strtol(found + strlen(place), NULL, 10);
        } else if (begins_with(line, "[PASS] ") || begins_with(line, "[FAIL] ")) {
            if (uses == 1) at[1] = 0;
            if (uses && (at[0] || at[1])) {
                text_add(&text, "%s: ", test_name(&pool, line));
                add_race(&text, &pool, file, source, at);
            }
            uses = 0;
        }
    }
    pool_free(&pool);
    return text_take(&text);
}

/* --- tests that passed, and fail after all ------------------------------------ */

static const char *message_for(Pool *pool, const char *said, const char *test) {
    const char *message = NULL;
    size_t n = strlen(test);
    for (char *line; (line = next_line(pool, &said));)
        if (strncmp(line, test, n) == 0 && begins_with(line + n, ": "))
            message = line + n + 2;
    return message;
}

char *let_fail(const char *output, const char *said, bool is_tap) {
    Pool pool = {0};
    Text text = {0};
    const char *passed = is_tap ? "ok - " : "[PASS] ";
    for (char *line; (line = next_line(&pool, &output));) {
        const char *message = NULL;
        if (begins_with(line, passed))
            message = message_for(&pool, said, test_name(&pool, line));
        if (message && is_tap)
            text_add(&text, "not %s\n", line);
        else if (message)
            text_add(
                &text,
                "[----] again: Assertion Failed\n[----] \n[----]   %s\n[FAIL] %s\n",
                message, line + strlen(passed));
        else
            text_add(&text, "%s\n", line);
    }
    pool_free(&pool);
    return text_take(&text);
}

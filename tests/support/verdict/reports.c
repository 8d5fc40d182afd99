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

/* Both uses of a place, each with the innermost line that is the learner's, or 0; and
 * its name, where it is a variable of the file that outlives a call. */
typedef struct {
    size_t uses;
    long at[2];
    const char *variable;
} Race;

static void add_race(Text *to, Pool *pool, const char *file, const char *source,
                     const Race *race) {
    const long *at = race->at;
    long line = at[0] ? at[0] : at[1], other = at[1] ? at[1] : at[0];
    bool same = line == other;
    if (race->variable) {
        text_add(
            to,
            "two threads use `%s` in %s:%ld, `%.90s`, and one writes to it: this is "
            "what you get when a variable is static: threads share it, those of a "
            "call and those that call at once; declare it without static, or "
            "static _Thread_local\n",
            race->variable, file, line, line_of(pool, source, line));
        return;
    }
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

/* "  Location is global 'sums.0' of size 8" -> "sums", if it is one of `variables`,
 * or NULL. */
static const char *variable_of(Pool *pool, const char *line, const char *variables) {
    const char *mark = "Location is global '", *name = strstr(line, mark);
    if (!name) return NULL;
    name += strlen(mark);
    const char *wanted = pool_format(pool, "%.*s", (int)strcspn(name, "'. "), name);
    for (const char *word; (word = next_word(pool, &variables));)
        if (same_text(pool_format(pool, "%.*s", (int)strcspn(word, "."), word), wanted))
            return wanted;
    return NULL;
}

/* Where a line of a report says that the learner's file, at `place`, uses it. */
static void read_use(Race *race, const char *line, const char *place) {
    const char *found = strstr(line, place);
    if (is_use(line))
        race->uses++;
    else if (found && race->uses > 0 && race->uses <= 2 && !race->at[race->uses - 1])
        race->at[race->uses - 1] = strtol(found + strlen(place), NULL, 10);
}

/* Of the reports of a test, the first that knows a line of the learner's. */
char *races_of(const char *output, const char *file, const char *source,
               const char *variables) {
    Pool pool = {0};
    Text text = {0};
    Race race = {0};
    bool in_uses = false;
    const char *place = pool_format(&pool, "%s:", file);
    for (char *line; (line = next_line(&pool, &output));) {
        bool known = race.at[0] || race.at[1];
        if (begins_with(line, "WARNING: ThreadSanitizer: data race")) {
            in_uses = !known;
            if (!known) race = (Race){0};
        } else if (in_uses && is_other_part(line)) {
            in_uses = false;
            race.variable = variable_of(&pool, line, variables);
        } else if (in_uses) {
            read_use(&race, line, place);
        } else if (begins_with(line, "[PASS] ") || begins_with(line, "[FAIL] ")) {
            if (known) {
                text_add(&text, "%s: ", test_name(&pool, line));
                add_race(&text, &pool, file, source, &race);
            }
            race = (Race){0};
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

/* Configurations as text: see config_text.h. */
#include "files/config_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

void config_text_add(char text[CONFIG_TEXT_BYTES], const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    int wanted = vsnprintf(text + used, CONFIG_TEXT_BYTES - used, format, arguments);
    va_end(arguments);
    if (wanted < 0 || used + (size_t)wanted >= CONFIG_TEXT_BYTES)
        die("a configuration of more than %d bytes", CONFIG_TEXT_BYTES - 1);
}

/* The length of the next word, and *text behind the blanks in front of it. */
static size_t next_word(const char **text) {
    *text += strspn(*text, " ");
    return strcspn(*text, " ");
}

static bool same(const char *a, size_t n, const char *b, size_t m) {
    return n == m && memcmp(a, b, n) == 0;
}

void config_text_difference(char text[CONFIG_TEXT_BYTES], const char *was,
                            const char *now) {
    *text = 0;
    while (*was || *now) {
        size_t n = next_word(&was), m = next_word(&now);
        if (!same(was, n, now, m)) { /* other names: another version of the struct */
            snprintf(text, CONFIG_TEXT_BYTES, "'%.*s' (now '%.*s')", (int)n, was,
                     (int)m, now);
            return;
        }
        const char *name = was;
        int name_bytes = (int)n;
        was += n;
        now += m;
        n = next_word(&was);
        m = next_word(&now);
        size_t used = strlen(text);
        if (!same(was, n, now, m))
            snprintf(text + used, CONFIG_TEXT_BYTES - used, "%s%.*s %.*s (now %.*s)",
                     used ? ", " : "", name_bytes, name, (int)n, was, (int)m, now);
        was += n;
        now += m;
    }
}

/* The pre-tokenizer with PCRE2: see pretokenize.h. */
#include "09-tokenizer/pretokenize.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/utf8.h"
#include "base/error.h"
#include "base/memory.h"

struct Pretokenizer {
    const WordRule *rule;
    pcre2_code *code;
    pcre2_match_context *context;
};

const WordRule gpt2_words = {.name = "gpt-2", .pattern = GPT2_PATTERN};

/* The characters of \s differ between libraries (PCRE2's has U+180E): in its place
 * stands Unicode's White_Space, and \S becomes all but these. */
static const char space[] = "\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}"
                            "\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"
                            "\\x{205f}\\x{3000}";

/* The pattern with White_Space spelled out, in new memory. */
static char *spell_out_space(const char *pattern) {
    char *out = checked_alloc(strlen(pattern) + 1, sizeof space + strlen("[^]")),
         *end = out;
    bool in_class = false;
    for (const char *p = pattern; *p; p++) {
        bool escape = *p == '\\' && p[1];
        if (escape && (p[1] == 's' || p[1] == 'S')) {
            const char *form = in_class ? "%s" : p[1] == 's' ? "[%s]" : "[^%s]";
            end += sprintf(end, form, space);
            p++;
            continue;
        }
        if (!escape && (*p == '[' || *p == ']')) in_class = *p == '[';
        *end++ = *p;
        if (escape) *end++ = *++p;
    }
    return out;
}

void pretokenizer_unicode(char version[24]) {
    pcre2_config(PCRE2_CONFIG_UNICODE_VERSION, version);
}

Pretokenizer *pretokenizer_create(const WordRule *rule) {
    int error;
    PCRE2_SIZE offset;
    Pretokenizer *p = checked_alloc(1, sizeof *p);
    p->rule = rule;
    char *pattern = spell_out_space(rule->pattern);
    p->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
                            PCRE2_UTF | PCRE2_UCP, &error, &offset, NULL);
    if (!p->code) {
        char message[200];
        pcre2_get_error_message(error, (PCRE2_UCHAR *)message, sizeof message);
        die("the pre-tokenizer's pattern: %s at offset %zu", message, (size_t)offset);
    }
    free(pattern);
    /* A run of white space is looked at byte for byte, and texts have long ones. */
    p->context = pcre2_match_context_create(NULL);
    if (!p->context) die("out of memory for the pre-tokenizer");
    pcre2_set_match_limit(p->context, UINT32_MAX);
    /* where there is no JIT, it works without */
    pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE);
    return p;
}

void pretokenizer_free(Pretokenizer *p) {
    if (!p) return;
    pcre2_match_context_free(p->context);
    pcre2_code_free(p->code);
    free(p);
}

const WordRule *pretokenizer_rule(const Pretokenizer *p) {
    return p->rule;
}

/* PCRE2 takes valid UTF-8 only. A control character is neither letter, digit nor space:
 * one byte for one byte, so that offsets stay the same. */
static char *readable_copy(const char *text, size_t n) {
    enum { CONTROL = 1 };
    char *copy = checked_alloc(n + 1, 1);
    if (n) memcpy(copy, text, n);
    for (size_t i = 0; i < n;) {
        bool ascii = (unsigned char)text[i] < 0x80; /* most are: no call for these */
        int length = ascii ? 1 : utf8_length(text + i, n - i);
        if (length <= 0) copy[i] = CONTROL;
        i += length > 0 ? (size_t)length : 1;
    }
    return copy;
}

WordWalk words_begin(const Pretokenizer *p, const char *text, size_t n) {
    WordWalk walk = {.pretokenizer = p, .text = text, .n = n};
    if (!p->rule->next) walk.end = n;
    walk.readable = readable_copy(text, n);
    walk.match = pcre2_match_data_create(1, NULL);
    if (!walk.match) die("out of memory for the pre-tokenizer");
    return walk;
}

void words_match(WordWalk *walk, const char **word, size_t *n) {
    int found = pcre2_match(walk->pretokenizer->code, (PCRE2_SPTR)walk->readable,
                            walk->end, walk->at, PCRE2_NO_UTF_CHECK, walk->match,
                            walk->pretokenizer->context);
    PCRE2_SIZE *range = pcre2_get_ovector_pointer(walk->match);
    if (found <= 0 || range[0] != walk->at || range[1] <= range[0]) {
        die("the pre-tokenizer finds no word at byte %zu (PCRE2 says %d)", walk->at,
            found);
    }
    *word = walk->text + range[0];
    *n = range[1] - range[0];
    walk->at = range[1];
}

bool words_next(WordWalk *walk, const char **word, size_t *n) {
    const WordRule *rule = walk->pretokenizer->rule;
    if (walk->at == walk->n) return false;
    if (rule->next) return rule->next(walk, word, n);
    words_match(walk, word, n);
    return true;
}

void words_end(WordWalk *walk) {
    free(walk->readable);
    pcre2_match_data_free(walk->match);
    *walk = (WordWalk){0};
}

/* Chat templates: see chat.h. */
#include "18-llama/chat.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* A message is start, its role, header_end, gap, its text, end, behind. */
static const struct Template {
    const char *start, *header_end, *gap, *end, *behind;
    bool trims; /* what is around a message goes */
} templates[] = {
    {
        .start = "<|im_start|>",
        .header_end = "",
        .gap = "\n",
        .end = "<|im_end|>",
        .behind = "\n",
    },
    {
        .start = "<|start_header_id|>",
        .header_end = "<|end_header_id|>",
        .gap = "\n\n",
        .end = "<|eot_id|>",
        .behind = "",
        .trims = true,
    },
};
enum { N_TEMPLATES = sizeof templates / sizeof *templates };

/* The id of a special token; "" is none, and has -1. */
static int special_id(const Tokenizer *t, const char *token) {
    size_t id = string_table_find(&t->tokens, token, strlen(token));
    for (size_t i = 0; i < t->n_special; i++)
        if (id == (size_t)t->special[i].id) return t->special[i].id;
    return -1;
}

static const struct Template *find_template(const Tokenizer *t) {
    for (size_t i = 0; i < N_TEMPLATES; i++) {
        const struct Template *template = &templates[i];
        if (special_id(t, template->start) < 0 || special_id(t, template->end) < 0)
            continue;
        if (!*template->header_end || special_id(t, template->header_end) >= 0)
            return template;
    }
    return NULL;
}

int chat_end(const Tokenizer *t) {
    const struct Template *template = find_template(t);
    return template ? special_id(t, template->end) : -1;
}

/* --- ids --- */

typedef struct {
    const Tokenizer *tokenizer;
    const struct Template *template;
    int *ids;
    size_t n;
} Chat;

static void add_ids(Chat *c, const int *ids, size_t n) {
    c->ids = checked_realloc(c->ids, c->n + n + 1, sizeof *c->ids);
    if (n) memcpy(c->ids + c->n, ids, n * sizeof *ids);
    c->n += n;
}

static void add_special(Chat *c, const char *token) {
    int id = special_id(c->tokenizer, token);
    if (id >= 0) add_ids(c, &id, 1);
}

/* Three texts as one: no cut between words is forced where they meet. */
static void add_text(Chat *c, const char *a, const char *b, const char *text) {
    size_t n_a = strlen(a), n_b = strlen(b), n = strlen(text), n_ids;
    char *all = checked_alloc(n_a + n_b + n + 1, 1);
    memcpy(all, a, n_a);
    memcpy(all + n_a, b, n_b);
    memcpy(all + n_a + n_b, text, n);
    int *ids = tokenizer_encode(c->tokenizer, all, n_a + n_b + n, false, &n_ids);
    add_ids(c, ids, n_ids);
    free(ids);
    free(all);
}

/* All of a message up to its text. */
static void add_begun(Chat *c, const char *role, const char *text) {
    const struct Template *template = c->template;
    add_special(c, template->start);
    if (*template->header_end) {
        add_text(c, role, "", "");
        add_special(c, template->header_end);
        role = "";
    }
    add_text(c, role, template->gap, text);
}

/* In new memory; without the blanks and line feeds around it where it `trims`. */
static char *trimmed(const char *text, bool trims) {
    static const char blanks[] = " \t\r\n\v\f";
    char *copy = checked_strdup(trims ? text + strspn(text, blanks) : text);
    for (size_t n = strlen(copy); trims && n && strchr(blanks, copy[n - 1]); n--)
        copy[n - 1] = 0;
    return copy;
}

static void expect_role(const char *role) {
    static const char *const roles[] = {"system", "user", "assistant"};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strcmp(role, roles[i]) == 0) return;
    die("role '%s': expected system, user or assistant", role);
}

int *chat_encode(const Tokenizer *t, const ChatMessage *messages, size_t n,
                 size_t *n_tokens) {
    Chat c = {.tokenizer = t, .template = find_template(t)};
    if (!c.template)
        die("the vocabulary has no chat template that is known here: ChatML's "
            "<|im_start|> "
            "and <|im_end|>, or Llama 3's <|start_header_id|>, <|end_header_id|> and "
            "<|eot_id|>");
    if (t->bos >= 0 && (!t->chat_template || strstr(t->chat_template, "bos_token")))
        add_ids(&c, &t->bos, 1);
    for (size_t i = 0; i < n; i++) {
        expect_role(messages[i].role);
        char *text = trimmed(messages[i].text, c.template->trims);
        add_begun(&c, messages[i].role, text);
        free(text);
        add_special(&c, c.template->end);
        add_text(&c, c.template->behind, "", "");
    }
    add_begun(&c, "assistant", "");
    *n_tokens = c.n;
    return c.ids;
}

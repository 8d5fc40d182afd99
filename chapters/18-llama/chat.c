/* Chat templates: see chat.h. */
#include "18-llama/chat.h"

#include <stdlib.h>
#include <string.h>

#include "18-llama/chat_form.h"
#include "base/error.h"
#include "base/memory.h"

static const ChatForm forms[] = {
    {
        .before = "",
        .start = "<|im_start|>",
        .gap = "\n",
        .end = "<|im_end|>\n",
        .reply = "<|im_start|>assistant\n",
    },
    {
        .before = "",
        .start = "<|start_header_id|>",
        .gap = "<|end_header_id|>\n\n",
        .end = "<|eot_id|>",
        .reply = "<|start_header_id|>assistant<|end_header_id|>\n\n",
        .trims = true,
    },
};
enum { N_FORMS = sizeof forms / sizeof *forms };

/* The special token with which the text begins, or -1. */
static int token_at(const Tokenizer *t, const char *text) {
    int id;
    size_t n;
    return tokenizer_find_special(t, text, strlen(text), &id, &n) == 0 ? id : -1;
}

/* One whose marks are special tokens of the vocabulary. */
static const ChatForm *known_form(const Tokenizer *t) {
    for (size_t i = 0; i < N_FORMS; i++) {
        const char *gap = forms[i].gap;
        if (token_at(t, forms[i].start) >= 0 && token_at(t, forms[i].end) >= 0 &&
            (*gap != '<' || token_at(t, gap) >= 0))
            return &forms[i];
    }
    return NULL;
}

/* The model's own, if its template says no more; NULL: none is known. */
static const ChatForm *find_form(const Tokenizer *t, ChatForm *own) {
    bool is_own = t->chat_template && chat_form_read(own, t->chat_template);
    return is_own ? own : known_form(t);
}

int chat_end(const Tokenizer *t) {
    ChatForm own;
    const ChatForm *form = find_form(t, &own);
    return form ? token_at(t, form->end) : -1;
}

const char *chat_warning(const Tokenizer *t, bool has_system) {
    ChatForm own;
    bool adds;
    const ChatForm *form = find_form(t, &own);
    if (!form || form == &own || !t->chat_template) return NULL;
    if (!chat_form_is_in(form, t->chat_template, &adds))
        return form == forms ? "the model's chat template is not known here: its "
                               "messages are written as ChatML, and may have been "
                               "trained otherwise"
                             : "the model's chat template is not known here: its "
                               "messages are written as Llama 3's, and may have been "
                               "trained otherwise";
    return adds && !has_system
               ? "the model's chat template begins with a system message of its own, "
                 "which is left out: --system TEXT gives one"
               : NULL;
}

/* --- ids --- */

/* Text that no special token has ended yet stays in `text`: no cut between words is
 * forced where its pieces meet. */
typedef struct {
    const Tokenizer *tokenizer;
    int *ids;
    size_t n, bytes;
    char *text;
} Chat;

static void add_id(Chat *c, int id) {
    c->ids = checked_realloc(c->ids, c->n + 1, sizeof *c->ids);
    c->ids[c->n++] = id;
}

static void add_text(Chat *c, const char *text, size_t n) {
    c->text = checked_realloc(c->text, c->bytes + n + 1, 1);
    memcpy(c->text + c->bytes, text, n);
    c->bytes += n;
}

static void end_text(Chat *c) {
    size_t n;
    int *ids = tokenizer_encode(c->tokenizer, c->text, c->bytes, false, &n);
    for (size_t i = 0; i < n; i++) add_id(c, ids[i]);
    c->bytes = 0;
    free(ids);
}

/* A text of the form, whose special tokens are read as such. */
static void add_marks(Chat *c, const char *text) {
    int id = 0;
    while (*text && id >= 0) {
        size_t length, plain = tokenizer_find_special(c->tokenizer, text, strlen(text),
                                                      &id, &length);
        add_text(c, text, plain);
        if (id < 0) return;
        end_text(c);
        add_id(c, id);
        text += plain + length;
    }
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

/* Templates name the token that begins a text where they want it. */
static void add_bos(Chat *c) {
    const Tokenizer *t = c->tokenizer;
    const char *asked =
        t->chat_template ? strstr(t->chat_template, "bos_token") : "the tokenizer's";
    int bos = t->bos < 0 && t->chat_template ? t->begin : t->bos;
    if (asked && bos >= 0) add_id(c, bos);
}

int *chat_encode(const Tokenizer *t, const ChatMessage *messages, size_t n,
                 size_t *n_tokens) {
    ChatForm own;
    const ChatForm *form = find_form(t, &own);
    Chat c = {.tokenizer = t};
    if (!form)
        die("the vocabulary has no chat template that is known here: ChatML's "
            "<|im_start|> "
            "and <|im_end|>, or Llama 3's <|start_header_id|>, <|end_header_id|> and "
            "<|eot_id|>");
    add_bos(&c);
    add_marks(&c, form->before);
    for (size_t i = 0; i < n; i++) {
        expect_role(messages[i].role);
        char *text = trimmed(messages[i].text, form->trims);
        add_marks(&c, form->start);
        add_text(&c, messages[i].role, strlen(messages[i].role));
        add_marks(&c, form->gap);
        add_text(&c, text, strlen(text));
        add_marks(&c, form->end);
        free(text);
    }
    add_marks(&c, form->reply);
    end_text(&c);
    free(c.text);
    *n_tokens = c.n;
    return c.ids;
}

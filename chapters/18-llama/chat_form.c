/* Chat templates in Jinja: see chat_form.h. A template is not run. It is made flat: the
 * texts that it writes as they are, NAME and END around each expression, STATEMENT
 * around statements, no white space in either. Then its form is a comparison of
 * texts. */
#include "18-llama/chat_form.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define STATEMENT "\1"
#define NAME "\2"
#define END "\3"

typedef struct {
    char *out;
    size_t n, text; /* the text outside of tags begins at `text` */
    bool at_line;   /* and that is the beginning of a line */
} Flat;

static void put(Flat *f, const char *text, size_t n) {
    memcpy(f->out + f->n, text, n);
    f->n += n;
}

/* As transformers has it, a statement takes the blanks in front of it along, if they
 * begin a line; a minus takes all white space. */
static void strip_before(Flat *f, bool all) {
    size_t n = f->n;
    while (n > f->text && (all ? isspace((unsigned char)f->out[n - 1])
                               : f->out[n - 1] == ' ' || f->out[n - 1] == '\t'))
        n--;
    bool begins = n > f->text ? f->out[n - 1] == '\n' : f->at_line;
    if (all || begins) f->n = n;
}

/* A string up to its quote; returns the place behind that. */
static const char *put_string(Flat *f, const char *p) {
    char quote = *p++;
    for (; *p && *p != quote; p++) {
        bool escaped = *p == '\\' && p[1];
        if (escaped) p++;
        put(f, escaped && *p == 'n' ? "\n" : p, 1);
    }
    return *p ? p + 1 : p;
}

/* An expression or a statement up to its end. */
static const char *put_code(Flat *f, const char *p, const char *end) {
    bool in_name = false;
    while (*p && strncmp(p, end, 2) != 0 && !(*p == '-' && !strncmp(p + 1, end, 2))) {
        bool is_string = *p == '\'' || *p == '"', joins = *p == '+' || *p == '~',
             is_key = *p == '[' && (p[1] == '\'' || p[1] == '"');
        if (isspace((unsigned char)*p)) {
            p++;
            continue;
        }
        bool goes_on = !is_string && !joins;
        if (in_name != goes_on) put(f, goes_on ? NAME : END, 1);
        in_name = goes_on;
        if (is_key) { /* a['b'] is a.b */
            put(f, ".", 1);
            p = put_string(f, p + 1);
            p += *p == ']';
        } else if (is_string) {
            p = put_string(f, p);
        } else {
            if (!joins) put(f, p, 1);
            p++;
        }
    }
    if (in_name) put(f, END, 1);
    return p;
}

static const char *put_tag(Flat *f, const char *p) {
    const char *end = p[1] == '{' ? "}}" : p[1] == '%' ? "%}" : "#}";
    bool statement = p[1] == '%', comment = p[1] == '#', all = p[2] == '-';
    if (all || !(p[1] == '{')) strip_before(f, all);
    p += 2 + all;
    if (statement) put(f, STATEMENT, 1);
    if (comment) {
        const char *at = strstr(p, end);
        p = at ? at - (at[-1] == '-') : p + strlen(p);
    } else {
        p = put_code(f, p, end);
    }
    if (statement) put(f, STATEMENT, 1);
    all = *p == '-';
    if (*p) p += 2 + all;
    f->text = f->n;
    f->at_line = (statement || comment) && *p == '\n';
    if (all)
        p += strspn(p, " \t\r\n");
    else
        p += f->at_line;
    return p;
}

static char *flatten(const char *jinja) {
    Flat f = {.out = checked_alloc(3 * strlen(jinja) + 1, 1), .at_line = true};
    while (*jinja) {
        if (*jinja == '{' && jinja[1] && strchr("{%#", jinja[1]))
            jinja = put_tag(&f, jinja);
        else
            put(&f, jinja++, 1);
    }
    if (f.n > f.text && f.out[f.n - 1] == '\n') f.n--;
    f.out[f.n] = 0;
    return f.out;
}

/* --- what a flat template says --- */

static bool take(const char **p, const char *expected) {
    size_t n = strlen(expected);
    bool is = strncmp(*p, expected, n) == 0;
    if (is) *p += n;
    return is;
}

/* The text up to the next mark, in new memory. */
static char *take_text(const char **p) {
    size_t n = strcspn(*p, STATEMENT NAME END);
    char *text = checked_alloc(n + 1, 1);
    memcpy(text, *p, n);
    *p += n;
    return text;
}

bool chat_form_read(ChatForm *form, const char *jinja) {
    char *flat = flatten(jinja);
    const char *p = flat;
    bool is = true;
    take(&p, NAME "bos_token" END);
    form->before = take_text(&p);
    is = is && take(&p, STATEMENT NAME "formessageinmessages" END STATEMENT);
    form->start = take_text(&p);
    is = is && take(&p, NAME "message.role" END);
    form->gap = take_text(&p);
    is = is && take(&p, NAME "message.content");
    form->trims = take(&p, "|trim");
    is = is && take(&p, END);
    form->end = take_text(&p);
    is = is && take(&p, STATEMENT NAME "endfor" END STATEMENT);
    is = is && take(&p, STATEMENT NAME "ifadd_generation_prompt" END STATEMENT);
    form->reply = take_text(&p);
    is = is && take(&p, STATEMENT NAME "endif" END STATEMENT) && *p == 0;
    free(flat);
    return is;
}

/* The place behind the six texts in a row, or NULL. */
static const char *find(const char *flat, const char *const texts[6]) {
    size_t bytes = 1;
    for (int i = 0; i < 6; i++) bytes += strlen(texts[i]);
    char *all = checked_alloc(bytes, 1);
    for (int i = 0; i < 6; i++) strcat(all, texts[i]);
    const char *at = strstr(flat, all);
    free(all);
    return at ? at + bytes - 1 : NULL;
}

bool chat_form_is_in(const ChatForm *form, const char *jinja, bool *adds) {
    static const char *const names[] = {"message.content", "content"};
    static const char role[] = NAME "message.role" END;
    char *flat = flatten(jinja);
    const char *trim = form->trims ? "|trim" END : END, *system = flat;
    bool is = false;
    for (size_t i = 0; i < 2; i++) {
        const char *const texts[] = {form->start, role,     form->gap,
                                     NAME,        names[i], trim};
        is = is || find(flat, texts);
    }
    is = is && strstr(flat, form->reply);
    *adds = strstr(flat, NAME "date_string") != NULL;
    const char *const header[] = {form->start, "system", form->gap, "", "", ""};
    while ((system = find(system, header)))
        *adds = *adds || !strchr(STATEMENT NAME, *system);
    free(flat);
    return is;
}

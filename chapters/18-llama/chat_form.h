/* The form of a conversation: the texts around a message, and what a model's own
 * template, a program in Jinja, says of them. */
#ifndef CHAPTER_18_CHAT_FORM_H
#define CHAPTER_18_CHAT_FORM_H

#include <stdbool.h>

/* A conversation is `before`, then for each message start, its role, gap, its text,
 * end; then `reply`, which the model continues. */
typedef struct {
    const char *before, *start, *gap, *end, *reply;
    bool trims; /* white space around a message goes */
} ChatForm;

/* Reads a template that does no more than this, in new memory; false for any other. */
bool chat_form_read(ChatForm *form, const char *jinja);

/* Does a template that does more write messages in this form? Some begin with a system
 * message of their own where there is none: *adds. */
bool chat_form_is_in(const ChatForm *form, const char *jinja, bool *adds);

#endif

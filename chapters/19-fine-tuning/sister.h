/* The sister language: the stories of the built-in corpus (text/corpus.h) with twelve
 * other names. Every story begins with a name, so no text belongs to both languages,
 * and both have the same entropy. */
#ifndef CHAPTER_19_SISTER_H
#define CHAPTER_19_SISTER_H

#include <stddef.h>

/* The word at the beginning of a text, *length letters or 0: what it is called in the
 * other language where it is a name, else NULL. Anna is Ada there, and Ada is Anna. */
const char *sister_name(const char *text, size_t bytes, size_t *length);

/* The text with each name of one language replaced by the other's: new memory of *n
 * bytes and a NUL. Twice, it is the text again. */
char *sister_text(const char *text, size_t bytes, size_t *n);

#endif

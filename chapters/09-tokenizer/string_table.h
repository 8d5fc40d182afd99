/* Distinct byte strings, numbered 0, 1, 2 ... in the order in which they came.
 *
 * The tokenizer needs this three times: a vocabulary (token -> id), the words of a text
 * with their counts, and the words that were encoded already. */
#ifndef CHAPTER_09_STRING_TABLE_H
#define CHAPTER_09_STRING_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* {0} is an empty one. */
typedef struct {
    char *bytes;   /* all strings, one behind the other */
    size_t *start; /* string i is bytes[start[i]] .. bytes[start[i + 1] - 1] */
    size_t n, start_capacity, bytes_capacity;
    /* hash table with open addressing: index + 1, or 0 for a free slot */
    size_t *slots;
    size_t n_slots;
} StringTable;

#define STRING_NOT_FOUND SIZE_MAX

/* The number of the string; a new one gets the next number. */
size_t string_table_add(StringTable *t, const char *bytes, size_t n);

/* The number of the string, or STRING_NOT_FOUND. */
size_t string_table_find(const StringTable *t, const char *bytes, size_t n);

/* String i, and its length; not terminated by a NUL. */
const char *string_table_get(const StringTable *t, size_t i, size_t *n);

void string_table_free(StringTable *t);

#endif

/* A configuration as one line "name value name value ...", to be kept beside a result
 * and compared before the result is used again. Floats are written with %.9g, which no
 * two of them share. The line is written beside the struct that it describes: a new
 * member is added to both. */
#ifndef FILES_CONFIG_TEXT_H
#define FILES_CONFIG_TEXT_H

#include <stddef.h>

enum { CONFIG_TEXT_BYTES = 2000 };

/* Appends to a configuration's text, which begins as "". */
void config_text_add(char text[CONFIG_TEXT_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The settings that differ, as "rate 0.003 (now 0.004), steps 8 (now 9)"; "" if nothing
 * does. */
void config_text_difference(char text[CONFIG_TEXT_BYTES], const char *was,
                            const char *now);

#endif

/* JSON files (cJSON), with errors that name the file, the key and what was expected. */
#ifndef FILES_JSON_H
#define FILES_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "files/file.h"

/* `bytes` of text from the file `path` as an object, or the program ends; `part` says
 * where in the file, "its header " or "". The caller frees it with cJSON_Delete. In the
 * whole program cJSON takes its memory from memory.h: none of its functions fails for
 * want of memory, the program ends before. */
cJSON *json_parse_object(const char *path, const char *part, const char *text,
                         size_t bytes);

/* The same for a whole file. */
cJSON *json_read_object(const char *path);

/* Members of `object`, which came from the file `path`. A member that is absent gives
 * `fallback`; one of the wrong type (null is none) or outside [min, max], or that is
 * there twice, ends the program. */
const cJSON *json_member(const cJSON *object, const char *path,
                         const char *key); /* of any type; absent: NULL */
size_t json_size(const cJSON *object, const char *path, const char *key,
                 size_t fallback, size_t min, size_t max);
size_t json_needed_size(const cJSON *object, const char *path, const char *key,
                        size_t max); /* from 1 on; absent or null: the program ends */
double json_number(const cJSON *object, const char *path, const char *key,
                   double fallback, double min, double max);
bool json_bool(const cJSON *object, const char *path, const char *key, bool fallback);
const char *json_text(const cJSON *object, const char *path, const char *key,
                      const char *fallback);

/* Adds a float as the decimal number of fewest digits that is read back as this float:
 * 1e-05, not 9.99999974737875e-06. */
void json_add_float(cJSON *object, const char *key, float x);

/* The object as text and a line feed; frees it. */
void json_print(cJSON *object, FileWriter *to);

#endif

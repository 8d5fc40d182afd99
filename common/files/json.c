/* JSON files: see json.h. */
#include "files/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "files/file.h"
#include "base/memory.h"

static void *allocate(size_t bytes) {
    return checked_alloc(bytes, 1);
}

/* cJSON would report that memory ran out as bad JSON when it reads, and as a member
 * that is not there when it writes. */
__attribute__((constructor)) static void use_checked_memory(void) {
    cJSON_InitHooks(&(cJSON_Hooks){allocate, free});
}

/* The place of a NUL in JSON, as a byte or as \u0000; `bytes` if nowhere. cJSON ends a
 * string there, so that "a\u0000b" would be taken for "a". */
static size_t find_nul(const char *text, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        if (!text[i]) return i;
        if (text[i] != '\\') continue;
        if (bytes - i >= 6 && memcmp(text + i, "\\u0000", 6) == 0) return i;
        i++; /* what a backslash escapes, another backslash too */
    }
    return bytes;
}

cJSON *json_parse_object(const char *path, const char *part, const char *text,
                         size_t bytes) {
    size_t nul = find_nul(text, bytes);
    if (nul < bytes)
        die("file '%s': %shas a NUL at byte %zu, expected none in JSON", path, part,
            nul);
    const char *end = NULL;
    cJSON *object = cJSON_ParseWithLengthOpts(text, bytes, &end, false);
    if (!object)
        die("file '%s': %sis not valid JSON, near byte %zu", path, part,
            end ? (size_t)(end - text) : 0);
    for (const char *p = end; p < text + bytes; p++)
        if (!strchr(" \t\r\n", *p))
            die("file '%s': %sgoes on after its JSON, at byte %zu", path, part,
                (size_t)(p - text));
    if (!cJSON_IsObject(object)) die("file '%s': %sis not a JSON object", path, part);
    return object;
}

cJSON *json_read_object(const char *path) {
    enum { MOST_BYTES = 1 << 28 };
    size_t bytes;
    char *text = file_read_regular(path, MOST_BYTES, &bytes);
    file_expect_content(path, text, bytes, true);
    cJSON *object = json_parse_object(path, "", text, bytes);
    free(text);
    return object;
}

/* The member, or NULL where it is absent. Of two with the same name other
 * readers take the last: better none. */
const cJSON *json_member(const cJSON *object, const char *path, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    for (const cJSON *other = item ? item->next : NULL; other; other = other->next)
        if (strcmp(other->string, key) == 0)
            die("file '%s': \"%s\" is there twice", path, key);
    return item;
}

double json_number(const cJSON *object, const char *path, const char *key,
                   double fallback, double min, double max) {
    const cJSON *item = json_member(object, path, key);
    if (!item) return fallback;
    if (!cJSON_IsNumber(item)) die("file '%s': \"%s\" is not a number", path, key);
    if (!(item->valuedouble >= min && item->valuedouble <= max)) {
        die("file '%s': \"%s\" is %.10g, expected %.10g to %.10g", path, key,
            item->valuedouble, min, max);
    }
    return item->valuedouble;
}

size_t json_size(const cJSON *object, const char *path, const char *key,
                 size_t fallback, size_t min, size_t max) {
    double value =
        json_number(object, path, key, (double)fallback, (double)min, (double)max);
    if (value != (double)(size_t)value)
        die("file '%s': \"%s\" is %g, expected a whole number", path, key, value);
    return (size_t)value;
}

size_t json_needed_size(const cJSON *object, const char *path, const char *key,
                        size_t max) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item || cJSON_IsNull(item)) die("file '%s': \"%s\" is missing", path, key);
    return json_size(object, path, key, 0, 1, max);
}

bool json_bool(const cJSON *object, const char *path, const char *key, bool fallback) {
    const cJSON *item = json_member(object, path, key);
    if (!item) return fallback;
    if (!cJSON_IsBool(item))
        die("file '%s': \"%s\" is neither true nor false", path, key);
    return cJSON_IsTrue(item);
}

const char *json_text(const cJSON *object, const char *path, const char *key,
                      const char *fallback) {
    const cJSON *item = json_member(object, path, key);
    if (!item) return fallback;
    if (!cJSON_IsString(item)) die("file '%s': \"%s\" is not a string", path, key);
    return item->valuestring;
}

/* --- writing --- */

void json_add_float(cJSON *object, const char *key, float x) {
    char text[32];
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)x);
        if (strtof(text, NULL) == x) break;
    }
    cJSON_AddNumberToObject(object, key, strtod(text, NULL));
}

void json_print(cJSON *object, FileWriter *to) {
    char *text = cJSON_Print(object);
    file_printf(to, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(object);
}

/* Are a file's bytes those that were written: see safetensors.h. */
#include "checkpoints/safetensors_checksum.h"

#include <string.h>

#include "base/error.h"
#include "checkpoints/safetensors.h"

void safetensors_checksum(const void *file, size_t bytes, char text[CHECKSUM_TEXT]) {
    size_t digits = CHECKSUM_TEXT - 1, rest = SAFETENSORS_CHECKSUM_AT + digits;
    Checksum sum = checksum_begin();
    checksum_add(&sum, file, SAFETENSORS_CHECKSUM_AT);
    checksum_add(&sum, SAFETENSORS_CHECKSUM_ZERO, digits);
    checksum_add(&sum, (const char *)file + rest, bytes - rest);
    checksum_end(&sum, text);
}

bool safetensors_verify(const SafeTensors *file) {
    const char *stored = safetensors_metadata(file, SAFETENSORS_CHECKSUM_KEY);
    size_t digits = CHECKSUM_TEXT - 1;
    if (!stored || strlen(stored) != digits ||
        file->map_bytes < SAFETENSORS_CHECKSUM_AT + digits ||
        memcmp((const char *)file->map + 8, SAFETENSORS_CHECKSUM_START,
               SAFETENSORS_CHECKSUM_AT - 8) != 0)
        return false;
    char found[CHECKSUM_TEXT];
    safetensors_checksum(file->map, file->map_bytes, found);
    if (strcmp(found, stored) != 0)
        die("file '%s': is damaged: its checksum is %s, its bytes give %s", file->path,
            stored, found);
    return true;
}

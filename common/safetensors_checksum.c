/* Are a file's bytes those that were written: see safetensors.h. */
#include "safetensors_checksum.h"

#include <string.h>

#include "error.h"
#include "safetensors.h"

bool safetensors_verify(const SafeTensors *file) {
    const char *stored = safetensors_metadata(file, SAFETENSORS_CHECKSUM_KEY), *bytes = file->map;
    size_t digits = CHECKSUM_TEXT - 1, start = SAFETENSORS_CHECKSUM_AT - 8,
           rest = SAFETENSORS_CHECKSUM_AT + digits;
    if (!stored || strlen(stored) != digits || file->map_bytes < rest ||
        memcmp(bytes + 8, SAFETENSORS_CHECKSUM_START, start) != 0)
        return false;
    Checksum sum = checksum_begin();
    checksum_add(&sum, bytes, SAFETENSORS_CHECKSUM_AT);
    checksum_add(&sum, SAFETENSORS_CHECKSUM_ZERO, digits);
    checksum_add(&sum, bytes + rest, file->map_bytes - rest);
    char found[CHECKSUM_TEXT];
    checksum_end(&sum, found);
    if (strcmp(found, stored) != 0)
        die("file '%s': is damaged: its checksum is %s, its bytes give %s", file->path, stored, found);
    return true;
}

/* The place of the checksum in a safetensors file that is written here: at the very
 * start of its header, as the first metadata. For safetensors_write.c, which puts it
 * there, and safetensors_checksum.c, which looks. */
#ifndef CHECKPOINTS_SAFETENSORS_CHECKSUM_H
#define CHECKPOINTS_SAFETENSORS_CHECKSUM_H

#include "files/checksum.h"

#define SAFETENSORS_CHECKSUM_KEY "checksum"
#define SAFETENSORS_CHECKSUM_ZERO "0000000000000000"
#define SAFETENSORS_CHECKSUM_START                                                     \
    "{\"__metadata__\":{\"" SAFETENSORS_CHECKSUM_KEY "\":\""

/* The digits' place in the file: behind the header's length, 8 bytes. */
enum { SAFETENSORS_CHECKSUM_AT = 8 + sizeof SAFETENSORS_CHECKSUM_START - 1 };

/* The checksum of a whole file that has its digits there, as if they were zeros. */
void safetensors_checksum(const void *file, size_t bytes, char text[CHECKSUM_TEXT]);

#endif

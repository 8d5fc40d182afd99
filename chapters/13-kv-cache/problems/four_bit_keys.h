/* Open problem 13/four_bit_keys (**): a cache of keys in four bits a number */
#ifndef CHAPTER_13_FOUR_BIT_KEYS_H
#define CHAPTER_13_FOUR_BIT_KEYS_H

#include <stddef.h>

/* Keys are packed when GROUP of them have come: four bits for each of GROUP x DIM
 * numbers, eight bytes for each channel. */
enum { GROUP = 64, DIM = 64, PACKED_BYTES = GROUP * DIM / 2 + 8 * DIM };

/* keys [GROUP, DIM]; packed holds zeros before. */
void pack_keys(unsigned char packed[PACKED_BYTES], const float keys[GROUP * DIM]);

/* keys [GROUP, DIM], from `packed` alone. */
void unpack_keys(float keys[GROUP * DIM], const unsigned char packed[PACKED_BYTES]);

#endif

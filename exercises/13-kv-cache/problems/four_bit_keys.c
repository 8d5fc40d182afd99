/* Open problem 13/four_bit_keys. The rules are in
 * chapters/13-kv-cache/problems/four_bit_keys.h. */
#include "13-kv-cache/problems/four_bit_keys.h"

#include <math.h>
#include <string.h>

#include "program/problem.h"

/* Each key in steps of its largest number: sixteen of them, from -8 to 7. */
void pack_keys(unsigned char packed[PACKED_BYTES], const float keys[GROUP * DIM]) {
    PROBLEM_TODO("13/four_bit_keys");
    for (size_t k = 0; k < GROUP; k++) {
        const float *key = keys + k * DIM;
        float largest = 0;
        for (size_t c = 0; c < DIM; c++) largest = fmaxf(largest, fabsf(key[c]));
        float step = largest > 0 ? largest / 7 : 1;
        memcpy(packed + GROUP * DIM / 2 + 4 * k, &step, 4);
        for (size_t c = 0; c < DIM; c++) {
            unsigned code = (unsigned)(lrintf(key[c] / step) + 8);
            packed[(k * DIM + c) / 2] |= (unsigned char)(c % 2 ? code << 4 : code);
        }
    }
}

void unpack_keys(float keys[GROUP * DIM], const unsigned char packed[PACKED_BYTES]) {
    for (size_t i = 0; i < GROUP * DIM; i++) {
        float step;
        memcpy(&step, packed + GROUP * DIM / 2 + 4 * (i / DIM), 4);
        int code = i % 2 ? packed[i / 2] >> 4 : packed[i / 2] & 15;
        keys[i] = step * (float)(code - 8);
    }
}

/* The shape of a cache whose keys several heads share (chapter 18). */
#ifndef CHAPTER_07_GROUP_SHAPE_H
#define CHAPTER_07_GROUP_SHAPE_H

#include <stddef.h>

/* A cache [n_kv_head, capacity, head_dim] that holds `length` tokens; query head h
 * looks at key head h / (n_head / n_kv_head). */
typedef struct {
    size_t n_head, n_kv_head, head_dim, capacity, length;
} GroupShape;

#endif

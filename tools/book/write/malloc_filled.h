/* In front of a learner's file, where malloc is to give memory that holds no number
 * (compiler.js). */
#include <stddef.h>

void *malloc_filled(size_t bytes);

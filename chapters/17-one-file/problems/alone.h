/* Shared by the judges of this chapter: is a program one file that stands alone? */
#ifndef CHAPTER_17_ALONE_H
#define CHAPTER_17_ALONE_H

#include <stddef.h>

/* The lines of a learner's file. Ends the program where it includes anything but C11's
 * headers, or starts threads; says so where it is still as it was given. */
size_t lines_alone(const char *problem, const char *source);

#endif

/* The experiments of chapter 16. */
#ifndef CHAPTER_16_EXPERIMENTS_H
#define CHAPTER_16_EXPERIMENTS_H

#include "program.h"

#endif

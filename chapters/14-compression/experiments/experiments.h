/* The experiments of this chapter, one file each. What they share is in models.h and measure.h. */
#ifndef CHAPTER_14_EXPERIMENTS_H
#define CHAPTER_14_EXPERIMENTS_H

#include "program.h"

/* 14-claim.csv: what every codec at many rates does to the predictions of four models. */
void experiment_claim(const Settings *settings);

#endif

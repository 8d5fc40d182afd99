/* What a norm costs: parameters, operations, bytes and time. */
#ifndef CHAPTER_03_COST_H
#define CHAPTER_03_COST_H

#include "program.h"

/* Parameters, and the arithmetic and memory traffic of one forward pass over a row of `dim` numbers, as a
 * table.
 */
void print_costs(size_t dim);

/* 03-time.csv: nanoseconds per row against its length, LayerNorm and RMSNorm in turn in the same run. Times
 * differ from run to run; what is asserted is a ratio with room. */
void experiment_time(const Settings *settings);

#endif

/* The options of fine-tuning, and the command tune. */
#ifndef CHAPTER_19_OPTIONS_H
#define CHAPTER_19_OPTIONS_H

#include "program/program.h"

extern const Option tuning_options[];
extern Command tune_command;

/* Tunes the model of --from, or one that is trained for a few seconds, as the options
 * say: prints what it costs in both languages or texts, step by step, and what the
 * model writes before and after. */
void tune_as_told(const Settings *settings);

/* Is one of the options given? Ends the program where one that reads a --model is,
 * too. */
bool tuning_is_asked(void);

#endif

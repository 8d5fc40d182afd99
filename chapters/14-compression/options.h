/* The options that code a model when it is read, and the command convert: the program
 * of this chapter has them, and so has every later one. */
#ifndef CHAPTER_14_OPTIONS_H
#define CHAPTER_14_OPTIONS_H

#include "10-gpt2/reading.h"

/* First in main: from now on coded directories are read, too, and each command that
 * reads a model takes the options below. */
void coding_start(void);

/* --codec, --calibration-tokens, --integer */
extern const Option codec_options[];

/* Reads the model that the options name, codes it with --codec, and saves it as `out`
 * says: a GGUF file or a directory. */
void save_coded(const char *out, uint64_t seed);
extern Command convert_command;

/* Looks at the model that the options name, or makes a file of it where there is a
 * --codec and no prompt, or writes with it. False: they name none, and ask for nothing
 * that needs one. */
bool use_model(const Settings *settings);

#endif

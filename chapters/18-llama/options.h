/* The options that chapter 18 adds: LLaMA's family in reading, writing and
 * training; chats; saving in another form. */
#ifndef CHAPTER_18_OPTIONS_H
#define CHAPTER_18_OPTIONS_H

#include "program/program.h"

/* First in main, behind coding_start: from now on models of the family are read and
 * saved, and the command train makes one. */
void llama_start(void);

extern const Option chat_options[]; /* --chat, --system */
extern const Option save_options[]; /* --save-gguf, --save-hf */
extern Command chat_command;

/* use_model (chapter 14), after what these options ask for. */
bool use_model_of_any_family(const Settings *settings);

#endif

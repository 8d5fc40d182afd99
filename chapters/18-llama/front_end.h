/* The front end of the last programs: every option and command of the course. */
#ifndef CHAPTER_18_FRONT_END_H
#define CHAPTER_18_FRONT_END_H

#include "program/program.h"

/* Runs a chapter's program, which brings its name, its experiments, its demo, and
 * options and commands of its own; those of all chapters up to 18 come with them. Where
 * several processes run it, it trains and does no more. Called gpt, it is the program
 * for those who want to use models: every command, and one page of help in the place of
 * the lesson. */
int front_end_run(int argc, char **argv, Program program);

#endif

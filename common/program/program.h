/* The frame of every chapter's program: its options, experiments and exit codes.
 *
 *     int main(int argc, char **argv) {
 *         static size_t rows = 4;
 *         static const Option options[] = {
 *             {"rows", OPTION_SIZE, &rows, "rows of the input", 1, 1e6}, {0}};
 *         static const Experiment experiments[] = {
 *             {"batch-size", "many batches", batch_size}, {0}};
 *         return program_run(argc, argv, &(Program){
 *             .name = "01-layernorm-vs-batchnorm", .summary = "...",
 *             .example = "--rows 8", .options = {options},
 *             .experiments = experiments, .demo = demo});
 *     }
 *
 * Every program understands --help, --seed N, --threads N, --out DIR, --trace
 * [FILE.json], --experiment NAME|all, --quick and --list. */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    OPTION_FLAG,
    OPTION_SIZE,
    OPTION_DOUBLE,
    OPTION_TEXT,
    OPTION_FILE
} OptionKind;

/* One option. `value` points to a bool, size_t, double or const char *, which holds the
 * default. Numbers outside [min, max] are refused. OPTION_FILE may stand alone (the
 * text is then "") or be followed by the name of a .json file. */
typedef struct {
    const char *name;
    OptionKind kind;
    void *value;
    const char *help;
    double min, max;
} Option;

/* Was the option that sets this value on the command line? */
bool option_is_given(const void *value);

/* The options that every program has, as given on the command line. */
typedef struct {
    uint64_t seed;
    size_t threads;
    const char *out; /* directory in which an experiment writes NAME.csv */
    bool quick;      /* smaller experiments, claims are reported but do not fail */
    int n_arguments; /* what is left on the command line behind the options */
    char **arguments;
} Settings;

typedef struct {
    const char *name, *help;
    void (*run)(const Settings *settings);
} Experiment;

/* Tables of options, each of which ends with {0}; behind the last is NULL. A chapter
 * defines its table once, and the programs of later chapters take it with their own. */
enum { MOST_TABLES = 12, MOST_COMMANDS = 12 };
typedef const Option *OptionTables[MOST_TABLES];

/* A word in front of all options that says what to do: "eval --model DIR". It has
 * options of its own. */
typedef struct {
    const char *name, *summary;
    const char *example; /* options of an example call */
    OptionTables options;
    void (*run)(const Settings *settings);
} Command;

/* Adds a table of options behind those that the command has. */
void command_add_options(Command *command, const Option *table);

typedef struct {
    const char *name;      /* "01-layernorm-vs-batchnorm" */
    const char *summary;   /* one line for --help */
    const char *example;   /* options of an example call */
    const char *arguments; /* what may stand behind the options, for --help; NULL:
                              nothing may */
    OptionTables options;
    const Command *commands[MOST_COMMANDS]; /* NULL behind the last */
    const Experiment *experiments;          /* ends with {0}; may be NULL */
    const Experiment *timed; /* the same; those that measure time, beside which
                                      nothing else may run */
    void (*demo)(const Settings *settings); /* runs when neither a command nor an
                                               experiment is asked for; NULL: a command
                                               must be */
    bool follows; /* another process of the same run writes the files */
} Program;

/* Reads the options, sets the number of threads, runs the experiment or the demo,
 * and returns the exit code. */
int program_run(int argc, char **argv, const Program *program);

#endif

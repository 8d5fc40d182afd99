/* The text of --help: see help.h. */
#include "program/help.h"

#include <stdio.h>
#include <string.h>

#include "base/words.h"

static void print_entry(const char *name, const char *words) {
    print_words(stdout, printf("  %-22s", name), 25, words);
    putchar('\n');
}

static void print_title(const char *name, const char *command, const char *summary) {
    int at = printf("%s%s%s:", name, *command ? " " : "", command);
    print_words(stdout, at, 2, summary);
    putchar('\n');
}

static void print_option(const Option *o) {
    static const char *const value_names[] = {"", " N", " X", " TEXT", " [FILE.json]"};
    char name[64], words[400], value[200] = "";
    snprintf(name, sizeof name, "--%s%s", o->name, value_names[o->kind]);
    if (o->kind == OPTION_SIZE)
        snprintf(value, sizeof value, " [%zu]", *(const size_t *)o->value);
    else if (o->kind == OPTION_DOUBLE)
        snprintf(value, sizeof value, " [%g]", *(const double *)o->value);
    else if (o->kind != OPTION_FLAG && *(const char *const *)o->value)
        snprintf(value, sizeof value, " [%s]", *(const char *const *)o->value);
    snprintf(words, sizeof words, "%s%s", o->help, value);
    print_entry(name, words);
}

static void print_options(const OptionList *options) {
    for (size_t i = 0; i < options->n; i++) print_option(options->items[i]);
    print_entry("--help", "this text");
}

static void print_commands(const Program *program) {
    printf("\ncommands, in front of all options (COMMAND --help lists its own):\n");
    for (const Command *const *c = program->commands; *c; c++)
        print_entry((*c)->name, (*c)->summary);
}

static void print_experiments(const Program *program) {
    printf("\nexperiments:\n");
    for (const Experiment *e = program->experiments; e && e->name; e++)
        print_entry(e->name, e->help);
    for (const Experiment *e = program->timed; e && e->name; e++)
        print_entry(e->name, e->help);
}

static void print_help(const Program *program, const OptionList *options) {
    print_title(program->name, "", program->summary);
    printf("\nusage: build/%s %s[options]%s%s\n\n", program->name,
           program->commands[0] ? "[COMMAND] " : "", program->arguments ? " " : "",
           program->arguments ? program->arguments : "");
    print_options(options);
    if (program->commands[0]) print_commands(program);
    if (program->experiments || program->timed) print_experiments(program);
    printf("\nexample:\n  build/%s %s\n", program->name, program->example);
}

static void print_command_help(const Program *program, const Command *command,
                               const OptionList *options) {
    print_title(program->name, command->name, command->summary);
    printf("\nusage: build/%s %s [options]\n\n", program->name, command->name);
    print_options(options);
    printf("\nexample:\n  build/%s %s %s\n", program->name, command->name,
           command->example);
}

/* For a program that does nothing without a command. */
static void print_page(const Program *program) {
    print_title(program->name, "", program->summary);
    printf("\nusage: build/%s COMMAND [options]\n       build/%s COMMAND --help\n\n",
           program->name, program->name);
    for (const Command *const *c = program->commands; *c; c++)
        print_entry((*c)->name, (*c)->summary);
    printf("\nexamples:\n");
    for (const Command *const *c = program->commands; *c; c++)
        printf("  build/%s %s %s\n", program->name, (*c)->name, (*c)->example);
}

void help_print(const Program *program, const Command *command,
                const OptionList *options) {
    if (command)
        print_command_help(program, command, options);
    else if (program->demo)
        print_help(program, options);
    else
        print_page(program);
}

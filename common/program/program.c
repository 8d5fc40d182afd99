/* The frame of every chapter's program: see program.h. */
#include "program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "program/claim.h"
#include "program/help.h"
#include "base/error.h"
#include "files/file.h"
#include "kernels/matmul.h"
#include "kernels/threads.h"
#include "tensor/trace.h"

enum { MAX_THREADS = 1024 };
enum { FIRST_OPTION = 256 }; /* for getopt_long: above all letters */

void command_add_options(Command *command, const Option *table) {
    size_t n = 0;
    while (command->options[n]) n++;
    if (n + 1 == MOST_TABLES) die("too many tables of options: %zu", n);
    command->options[n] = table;
}

static bool has_option(const OptionList *list, const char *name) {
    for (size_t i = 0; i < list->n; i++) {
        if (strcmp(list->items[i]->name, name) == 0) return true;
    }
    return false;
}

static void add_options(OptionList *list, const Option *table, size_t n) {
    for (size_t i = 0; i < n && table[i].name; i++) {
        if (has_option(list, table[i].name)) continue;
        if (list->n == MAX_OPTIONS) die("too many options: %zu", list->n);
        list->items[list->n++] = &table[i];
    }
}

static OptionList list_options(const OptionTables own, const Option *shared,
                               size_t n_shared) {
    OptionList list = {0};
    for (size_t i = 0; own[i]; i++) add_options(&list, own[i], MAX_OPTIONS);
    add_options(&list, shared, n_shared);
    return list;
}

/* For scripts: name, "timed" or nothing, and help, with tabs between them. */
static void print_list(const Experiment *e, const char *timed) {
    for (; e && e->name; e++) printf("%s\t%s\t%s\n", e->name, timed, e->help);
}

static bool has_experiments(const Program *program) {
    return program->experiments || program->timed;
}

static double parse_number(const Option *o, const char *text) {
    char *end;
    errno = 0;
    double value = strtod(text, &end), max = o->max;
    /* where size_t has 32 bits */
    if (o->kind == OPTION_SIZE && max > (double)SIZE_MAX) max = (double)SIZE_MAX;
    bool whole = o->kind != OPTION_SIZE ||
                 (value >= 0 && value <= 9e15 && value == (double)(uint64_t)value);
    if (end == text || *end || errno || !whole || !(value >= o->min && value <= max)) {
        die_usage("--%s '%s': expected %s from %.15g to %.15g", o->name, text,
                  o->kind == OPTION_SIZE ? "a whole number" : "a number", o->min, max);
    }
    return value;
}

static const void *given[MAX_OPTIONS]; /* the values that were set */
static size_t n_given;

bool option_is_given(const void *value) {
    for (size_t i = 0; i < n_given; i++) {
        if (given[i] == value) return true;
    }
    return false;
}

static void set_option(const Option *o, const char *text) {
    if (!option_is_given(o->value)) given[n_given++] = o->value;
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)o->value = true;
        break;
    case OPTION_SIZE:
        *(size_t *)o->value = (size_t)parse_number(o, text);
        break;
    case OPTION_DOUBLE:
        *(double *)o->value = parse_number(o, text);
        break;
    case OPTION_TEXT:
        *(const char **)o->value = text;
        break;
    case OPTION_FILE:
        *(const char **)o->value = text ? text : "";
        break;
    }
}

static size_t available_threads(void) {
#ifdef _OPENMP
    return (size_t)omp_get_num_procs();
#else
    return 1;
#endif
}

/* Runs the experiments of the list that match; returns whether one did. */
static bool run_matching(const Experiment *list, const char *wanted,
                         const Program *program, const Settings *settings) {
    bool found = false;
    for (const Experiment *e = list; e && e->name; e++) {
        if (strcmp(wanted, "all") != 0 && strcmp(wanted, e->name) != 0) continue;
        /* before the work, not after */
        if (!program->follows) expect_writable(settings->out);
        found = true;
        printf("== %s: %s\n", e->name, e->help);
        e->run(settings);
    }
    return found;
}

static void run_experiments(const Program *program, const char *wanted,
                            const Settings *settings) {
    bool found = run_matching(program->experiments, wanted, program, settings);
    found |= run_matching(program->timed, wanted, program, settings);
    if (!found) die_usage("--experiment '%s': no such experiment", wanted);
}

/* getopt takes an optional value only as --name=FILE; people type --name FILE.json. */
static bool names_json(const char *text) {
    size_t n = strlen(text);
    return n > 5 && strcmp(text + n - 5, ".json") == 0;
}

static bool names_option(const char *word, const Option *table) {
    size_t n = strcspn(word, "=");
    for (const Option *o = table; o->name; o++) {
        if (n == strlen(o->name) + 2 && strncmp(word + 2, o->name, n - 2) == 0)
            return true;
    }
    return false;
}

static bool takes_option(const Command *command, const char *word) {
    for (size_t i = 0; command->options[i]; i++) {
        if (names_option(word, command->options[i])) return true;
    }
    return false;
}

/* A word that is an option of other commands: which ones. */
static _Noreturn void die_unknown(const Program *program, const char *word) {
    char owners[200] = "";
    for (const Command *const *c = program->commands; *c; c++) {
        size_t n = strlen(owners);
        if (takes_option(*c, word))
            snprintf(owners + n, sizeof owners - n, "%s%s", n ? ", " : "", (*c)->name);
    }
    if (*owners) die_usage("%s: belongs to %s", word, owners);
    die_usage("'%s': no such option", word);
}

/* Ends the program for a word that getopt_long refused: a letter, where every option
 * is a word; a beginning of no option or of several; or a flag with a value. */
static _Noreturn void refuse_option(const Program *program, const char *word,
                                    const struct option *table) {
    if (optopt && optopt < FIRST_OPTION) die_usage("'-%c': no such option", optopt);
    char list[1024] = "";
    size_t length = strcspn(word + 2, "="), n = 0;
    for (const struct option *o = table; o->name; o++) {
        if (strncmp(o->name, word + 2, length) != 0) continue;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s--%s", n++ ? ", " : "", o->name);
        if (o->name[length] == 0) die_usage("'%s': --%s takes no value", word, o->name);
    }
    if (n == 0) die_unknown(program, word);
    if (n == 1) die_usage("'%s': %s takes no value", word, list);
    die_usage("'%s': begins several options: %s", word, list);
}

/* Sets the options of the list; false: --help was one of them. */
static bool parse_options(int argc, char **argv, const Program *program,
                          const OptionList *list) {
    static struct option table[MAX_OPTIONS + 2];
    for (size_t i = 0; i < list->n; i++) {
        const Option *o = list->items[i];
        int argument = o->kind == OPTION_FLAG   ? no_argument
                       : o->kind == OPTION_FILE ? optional_argument
                                                : required_argument;
        /* A number of its own: getopt_long takes any of several that have the same. */
        table[i] = (struct option){o->name, argument, NULL, FIRST_OPTION + (int)i};
    }
    int help = FIRST_OPTION + (int)list->n;
    table[list->n] = (struct option){"help", no_argument, NULL, help};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", table, NULL)) != -1;) {
        if (c == 'h' || c == help) return false;
        if (c == ':') die_usage("%s: a value is missing", argv[optind - 1]);
        if (c < FIRST_OPTION) refuse_option(program, argv[optind - 1], table);
        const Option *o = list->items[c - FIRST_OPTION];
        bool takes_next = o->kind == OPTION_FILE && !optarg && optind < argc &&
                          names_json(argv[optind]);
        set_option(o, takes_next ? argv[optind++] : optarg);
    }
    return true;
}

/* The command that stands first, or NULL. */
static const Command *find_command(int argc, char **argv, const Program *program) {
    if (!program->commands[0] || argc < 2 || argv[1][0] == '-') return NULL;
    char names[200] = "";
    for (const Command *const *c = program->commands; *c; c++) {
        if (strcmp(argv[1], (*c)->name) == 0) return *c;
        size_t n = strlen(names);
        snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "", (*c)->name);
    }
    die_usage("'%s': expected a command: %s", argv[1], names);
}

static _Noreturn void end_with_help(const Program *program, const Command *command,
                                    const OptionList *list) {
    help_print(program, command, list);
    output_flush();
    exit(0);
}

/* A closed standard stream leaves its number to the next file that is opened, and
 * printed text would go into that file. Opened the wrong way round, the number is taken
 * and every use of it still fails. */
static void occupy_standard_streams(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0)
            open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

int program_run(int argc, char **argv, const Program *program) {
    static size_t seed = 1;
    static const char *experiment, *trace;
    static bool list;
    static char out[128];
    static Settings settings = {.out = out};
    snprintf(out, sizeof out, "build/out/%s", program->name);
    settings.threads = available_threads();
    const Option shared[] = {
        {"seed", OPTION_SIZE, &seed, "seed of all random numbers", 0, 9e15},
        {"threads", OPTION_SIZE, &settings.threads, "threads", 1, MAX_THREADS},
        {"out", OPTION_TEXT, &settings.out, "directory for CSV files", 0, 0},
        {"trace", OPTION_FILE, &trace,
         "print each operation's time, size and norm; FILE: a time line of all", 0, 0},
        {"experiment", OPTION_TEXT, &experiment, "run an experiment, or all", 0, 0},
        {"quick", OPTION_FLAG, &settings.quick,
         "smaller experiments; claims are printed, not asserted", 0, 0},
        {"list", OPTION_FLAG, &list, "the experiments, a line each, for scripts", 0, 0},
    };
    error_set_program(program->name);
    occupy_standard_streams();
    const Command *command = find_command(argc, argv, program);
    if (command) argc--, argv++;
    bool experiments = has_experiments(program) && !command;
    size_t n_shared = sizeof shared / sizeof *shared - (experiments ? 0 : 3);
    OptionList options =
        list_options(command ? command->options : program->options, shared, n_shared);
    bool is_page = !command && !program->demo && argc == 1;
    if (!parse_options(argc, argv, program, &options) || is_page)
        end_with_help(program, command, &options);

    settings.seed = seed;
    settings.n_arguments = argc - optind;
    settings.arguments = argv + optind;
    if (settings.n_arguments && (command || !program->arguments))
        die_usage("'%s': no such argument%s", argv[optind],
                  program->commands[0] ? "; a command stands first" : "");
    if (!command && !program->demo) die_usage("a command is missing: --help lists all");
    threads_use(settings.threads);
    matmul_expect_fused();
    claim_set_strict(!settings.quick);
    if (trace) {
        error_before_exit(trace_cut_short);
        trace_start(TRACE_ALL, *trace ? trace : NULL);
    }
    if (list) {
        print_list(program->experiments, "");
        print_list(program->timed, "timed");
    } else if (command) {
        command->run(&settings);
    } else if (experiment) {
        run_experiments(program, experiment, &settings);
    } else {
        program->demo(&settings);
    }
    trace_finish();
    output_flush();
    return 0;
}

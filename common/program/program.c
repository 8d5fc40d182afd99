/* What every chapter's program shares: see program.h. */
#include "program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "program/claim.h"
#include "base/error.h"
#include "files/file.h"
#include "kernels/matmul.h"
#include "kernels/threads.h"
#include "tensor/trace.h"

enum { MAX_OPTIONS = 64, MAX_THREADS = 1024 };
enum { FIRST_OPTION = 256 }; /* for getopt_long: above all letters */

static size_t count_options(const Option *options) {
    size_t n = 0;
    while (options && options[n].name) n++;
    return n;
}

static void print_default(const Option *o) {
    switch (o->kind) {
    case OPTION_FLAG:
        break;
    case OPTION_SIZE:
        printf(" [%zu]", *(const size_t *)o->value);
        break;
    case OPTION_DOUBLE:
        printf(" [%g]", *(const double *)o->value);
        break;
    case OPTION_TEXT:
    case OPTION_FILE:
        if (*(const char *const *)o->value)
            printf(" [%s]", *(const char *const *)o->value);
        break;
    }
}

static void print_options(const Option *options, size_t n) {
    static const char *const value_names[] = {"", " N", " X", " TEXT", " [FILE.json]"};
    for (size_t i = 0; i < n; i++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s", options[i].name,
                 value_names[options[i].kind]);
        printf("  %-22s %s", left, options[i].help);
        print_default(&options[i]);
        putchar('\n');
    }
}

static bool has_experiments(const Program *program) {
    return program->experiments || program->timed;
}

static void print_help(const Program *program, const Option *shared, size_t n_shared) {
    printf("%s: %s\n\nusage: build/%s [options]%s%s\n\n", program->name,
           program->summary, program->name, program->arguments ? " " : "",
           program->arguments ? program->arguments : "");
    print_options(program->options, count_options(program->options));
    print_options(shared, n_shared);
    printf("  %-22s %s\n", "--help", "this text");
    if (has_experiments(program)) printf("\nexperiments:\n");
    for (const Experiment *e = program->experiments; e && e->name; e++)
        printf("  %-22s %s\n", e->name, e->help);
    for (const Experiment *e = program->timed; e && e->name; e++)
        printf("  %-22s %s (timed)\n", e->name, e->help);
    printf("\nexample: build/%s %s\n", program->name, program->example);
}

/* For scripts: name, "timed" or nothing, and help, with tabs between them. */
static void print_list(const Experiment *e, const char *timed) {
    for (; e && e->name; e++) printf("%s\t%s\t%s\n", e->name, timed, e->help);
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

static void set_option(const Option *o, const char *text) {
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

/* Those of the list that are wanted; whether there was one. */
static bool run_of(const Experiment *list, const char *wanted, const Program *program,
                   const Settings *settings) {
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
    bool found = run_of(program->experiments, wanted, program, settings);
    found |= run_of(program->timed, wanted, program, settings);
    if (!found) die_usage("--experiment '%s': no such experiment", wanted);
}

/* getopt takes what may be left out only as --name=FILE; --name FILE.json is what
 * people type. */
static bool names_json(const char *text) {
    size_t n = strlen(text);
    return n > 5 && strcmp(text + n - 5, ".json") == 0;
}

/* Ends the program for a word that getopt_long refused: a letter, where every option
 * is a word; a beginning of no option or of several; or a flag with a value. */
static _Noreturn void refuse_option(const char *word, const struct option *table) {
    if (optopt && optopt < FIRST_OPTION) die_usage("'-%c': no such option", optopt);
    char list[1024] = "";
    size_t length = strcspn(word + 2, "="), n = 0;
    for (const struct option *o = table; o->name; o++) {
        if (strncmp(o->name, word + 2, length) != 0) continue;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s--%s", n++ ? ", " : "", o->name);
        if (o->name[length] == 0) die_usage("'%s': --%s takes no value", word, o->name);
    }
    if (n == 0) die_usage("'%s': no such option", word);
    if (n == 1) die_usage("'%s': %s takes no value", word, list);
    die_usage("'%s': begins several options: %s", word, list);
}

/* All options of the program: its own, then the shared ones. */
static void parse_options(int argc, char **argv, const Program *program,
                          const Option *shared, size_t n_shared) {
    static struct option table[MAX_OPTIONS];
    const Option *order[MAX_OPTIONS];
    size_t n_own = count_options(program->options), n = n_own + n_shared;
    if (n + 2 > MAX_OPTIONS) die("too many options: %zu", n);
    for (size_t i = 0; i < n; i++) {
        order[i] = i < n_own ? &program->options[i] : &shared[i - n_own];
        int argument = order[i]->kind == OPTION_FLAG   ? no_argument
                       : order[i]->kind == OPTION_FILE ? optional_argument
                                                       : required_argument;
        /* A number of its own: getopt_long takes any of several that have the same. */
        table[i] =
            (struct option){order[i]->name, argument, NULL, FIRST_OPTION + (int)i};
    }
    int help = FIRST_OPTION + (int)n;
    table[n] = (struct option){"help", no_argument, NULL, help};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", table, NULL)) != -1;) {
        if (c == 'h' || c == help) {
            print_help(program, shared, n_shared);
            output_flush();
            exit(0);
        }
        if (c == ':') die_usage("%s: a value is missing", argv[optind - 1]);
        if (c < FIRST_OPTION) refuse_option(argv[optind - 1], table);
        const Option *o = order[c - FIRST_OPTION];
        bool takes_next = o->kind == OPTION_FILE && !optarg && optind < argc &&
                          names_json(argv[optind]);
        set_option(o, takes_next ? argv[optind++] : optarg);
    }
}

/* A closed standard stream leaves its number to the next file that is opened, and what
 * is printed would go into that file. Opened the wrong way round, the number is taken
 * and every use of it still fails. */
static void occupy_standard_streams(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0)
            open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

/* A stack that runs out is a crash without a word. The message needs little of it. */
static void expect_stack(const Program *program) {
#ifdef RLIMIT_STACK /* WebAssembly has no limits */
    enum { LEAST = 128 << 10 };
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= LEAST) return;
    fputs(program->name, stderr);
    fputs(": the stack may not grow to 128 KiB, which it needs (ulimit -s)\n", stderr);
    _exit(EXIT_INPUT);
#else
    (void)program;
#endif
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
    size_t n_shared =
        (sizeof shared / sizeof *shared) - (has_experiments(program) ? 0 : 3);
    expect_stack(program);
    error_set_program(program->name);
    occupy_standard_streams();
    parse_options(argc, argv, program, shared, n_shared);

    settings.seed = seed;
    settings.n_arguments = argc - optind;
    settings.arguments = argv + optind;
    if (settings.n_arguments && !program->arguments)
        die_usage("'%s': no such argument", argv[optind]);
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
    } else if (experiment) {
        run_experiments(program, experiment, &settings);
    } else {
        program->demo(&settings);
    }
    trace_finish();
    output_flush();
    return 0;
}

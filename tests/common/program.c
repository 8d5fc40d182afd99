/* Tests of common/program: options, help, experiments, exit codes. */
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "program/claim.h"
#include "check/dies.h"
#include "base/error.h"
#include "files/file.h"

static size_t rows;
static double rate;
static bool loud;
static const char *name;
static char log_text[200];

static void demo(const Settings *s) {
    snprintf(log_text, sizeof log_text,
             "demo seed=%zu threads=%zu rows=%zu rate=%g loud=%d name=%s left=%d",
             (size_t)s->seed, s->threads, rows, rate, loud, name, s->n_arguments);
}

static void first(const Settings *s) {
    snprintf(log_text, sizeof log_text, "first out=%s quick=%d", s->out, s->quick);
}

static void second(const Settings *s) {
    (void)s;
    strcat(log_text, " second");
}

static void measure(const Settings *s) {
    snprintf(log_text, sizeof log_text, "clock threads=%zu", s->threads);
}

static void false_claim(const Settings *s) {
    (void)s;
    claim(1 > 2, "1 is more than 2");
}

/* Runs a program with these arguments (up to a NULL) and returns its exit code. */
static int run(char **arguments, bool takes_arguments) {
    static const Option options[] = {
        {"rows", OPTION_SIZE, &rows, "rows", 1, 1000},
        {"rate", OPTION_DOUBLE, &rate, "rate", 0, 1},
        {"loud", OPTION_FLAG, &loud, "loud", 0, 0},
        {"name", OPTION_TEXT, &name, "name", 0, 0},
        {0},
    };
    static const Experiment experiments[] = {{"first", "the first", first},
                                             {"second", "the second", second},
                                             {"false", "false", false_claim},
                                             {0}};
    static const Experiment timed[] = {{"clock", "a time", measure}, {0}};
    rows = 4;
    rate = 0.5;
    loud = false;
    name = "none";
    char *all[20] = {"test"};
    int n = 1;
    for (; arguments[n - 1]; n++) all[n] = arguments[n - 1];
    return program_run(n, all,
                       &(Program){.name = "test",
                                  .summary = "a test",
                                  .example = "--rows 8",
                                  .arguments = takes_arguments ? "FILE" : NULL,
                                  .options = {options},
                                  .experiments = experiments,
                                  .timed = timed,
                                  .demo = demo});
}

#define RUN(...) run((char *[]){__VA_ARGS__, NULL}, false)

Test(program, defaults, .timeout = 10) {
    CHECK(RUN("--threads", "1") == 0, "the exit code is not 0");
    cr_assert_str_eq(log_text,
                     "demo seed=1 threads=1 rows=4 rate=0.5 loud=0 name=none left=0");
}

Test(program, options_of_every_kind, .timeout = 10) {
    RUN("--seed", "7", "--threads=2", "--rows", "1000", "--rate=0.25", "--loud",
        "--name", "a b");
    cr_assert_str_eq(
        log_text, "demo seed=7 threads=2 rows=1000 rate=0.25 loud=1 name=a b left=0");
}

Test(program, arguments_where_allowed, .timeout = 10) {
    run((char *[]){"--threads", "1", "one", "two", NULL}, true);
    CHECK(strstr(log_text, "left=2"), "two arguments were given: %s", log_text);
}

Test(program, options_between_and_behind_arguments, .timeout = 10) {
    run((char *[]){"one", "--rows", "3", "two", "--loud", NULL}, true);
    CHECK(strstr(log_text, "rows=3") && strstr(log_text, "loud=1") &&
              strstr(log_text, "left=2"),
          "two options and two arguments were given: %s", log_text);
}

Test(program, one_experiment, .timeout = 10) {
    RUN("--experiment", "first", "--out", "here", "--quick");
    cr_assert_str_eq(log_text, "first out=here quick=1");
}

Test(program, an_experiment_that_measures_time, .timeout = 10) {
    RUN("--experiment", "clock", "--threads", "2");
    cr_assert_str_eq(log_text, "clock threads=2");
}

static void call(void *arguments) {
    run(arguments, false);
}

/* --- commands --- */

static void print_rows(const Settings *s) {
    snprintf(log_text, sizeof log_text, "print rows=%zu threads=%zu", rows, s->threads);
}

/* A program whose commands have a table in common; it does something without one only
 * where it has a demo. */
static int run_commands(char **arguments, void (*without)(const Settings *)) {
    static const Option row_options[] = {{"rows", OPTION_SIZE, &rows, "rows", 1, 1000},
                                         {0}},
                        name_options[] = {{"name", OPTION_TEXT, &name, "name", 0, 0},
                                          {0}},
                        rate_options[] = {{"rate", OPTION_DOUBLE, &rate, "rate", 0, 1},
                                          {0}};
    Command print = {"print", "prints", "--rows 8", {row_options}, print_rows},
            sell = {"sell", "sells", "--name it", {row_options, name_options}, demo};
    command_add_options(&sell, rate_options);
    char *all[20] = {"test"};
    int n = 1;
    for (; arguments[n - 1]; n++) all[n] = arguments[n - 1];
    return program_run(n, all,
                       &(Program){.name = "test",
                                  .summary = "a test",
                                  .options = {name_options},
                                  .commands = {&print, &sell},
                                  .demo = without});
}

Test(program, commands, .timeout = 10) {
    run_commands((char *[]){"print", "--threads", "1", "--rows", "7", NULL}, demo);
    cr_assert_str_eq(log_text, "print rows=7 threads=1");
    optind = 1;
    run_commands((char *[]){"sell", "--rate", "0.5", "--name", "x", NULL}, NULL);
    CHECK(strstr(log_text, "rate=0.5 loud=0 name=x"), "%s", log_text);
}

static void call_commands(void *arguments) {
    run_commands(arguments, demo);
}

static void call_without_demo(void *arguments) {
    run_commands(arguments, NULL);
}

Test(program, commands_refused, .timeout = 10) {
    struct {
        char *arguments[4];
        const char *message;
    } bad[] = {
        {{"buy"}, "'buy': expected a command: print, sell"},
        {{"print", "--name", "x"}, "--name: belongs to sell"},
        {{"--rows", "3"}, "--rows: belongs to print, sell"},
        {{"print", "sell"}, "'sell': no such argument"},
        {{"--name", "x", "print"}, "'print': no such argument; a command stands first"},
        {{"print", "--column"}, "'--column': no such option"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_exit(EXIT_USAGE, bad[i].message, call_commands, bad[i].arguments);
    expect_exit(EXIT_USAGE, "a command is missing", call_without_demo,
                (char *[]){"--threads", "1", NULL});
    expect_exit(0, "", call_without_demo, (char *[]){NULL});
    expect_exit(0, "", call_commands, (char *[]){"print", "--help", NULL});
}

Test(program, bad_usage_is_one_line_and_exit_code_2, .timeout = 10) {
    struct {
        char *arguments[4];
        const char *message;
    } bad[] = {
        {{"--row-count"}, "'--row-count': no such option"},
        {{"--rows"}, "--rows: a value is missing"},
        {{"--rows", "0"}, "--rows '0': expected a whole number from 1 to 1000"},
        {{"--rows", "1001"}, "--rows '1001'"},
        {{"--rows", "-3"}, "--rows '-3'"},
        {{"--rows", "2.5"}, "--rows '2.5'"},
        {{"--rows", "12x"}, "--rows '12x'"},
        {{"--rows", ""}, "--rows ''"},
        {{"--rate", "two"}, "--rate 'two': expected a number from 0 to 1"},
        {{"--rate", "nan"}, "--rate 'nan'"},
        {{"--rate", "1e999"}, "--rate '1e999'"},
        {{"--loud=yes"}, "'--loud=yes'"},
        {{"--threads", "0"}, "--threads '0'"},
        {{"--seed", "-1"}, "--seed '-1'"},
        {{"--experiment", "third"}, "--experiment 'third': no such experiment"},
        {{"stray"}, "'stray': no such argument"},
        {{"-x"}, "'-x': no such option"},
        {{"-xy"}, "'-x': no such option"},
        {{"one", "-xy"}, "'-x': no such option"},
        {{"--t", "3"}, "'--t': begins several options: --threads, --trace"},
        {{"--r=3"}, "'--r=3': begins several options: --rows, --rate"},
        {{"--quick=1"}, "'--quick=1': --quick takes no value"},
        {{"--help=1"}, "'--help=1': --help takes no value"},
        {{"--lo=1"}, "'--lo=1': --loud takes no value"},
        {{"--nothing=1"}, "'--nothing=1': no such option"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_exit(EXIT_USAGE, bad[i].message, call, bad[i].arguments);
    }
}

Test(program, a_claim_that_does_not_hold_is_exit_code_3, .timeout = 10) {
    expect_exit(EXIT_CLAIM, "claim does not hold: 1 is more than 2", call,
                (char *[]){"--experiment", "false", NULL});
    expect_exit(0, "", call, (char *[]){"--experiment", "false", "--quick", NULL});
}

static char written[] = "/tmp/test-program-XXXXXX";

static void print_beside_a_file(const Settings *s) {
    (void)s;
    FileWriter w = file_begin(written);
    file_printf(&w, "in the file");
    printf("on the screen");
    fflush(stdout);
    file_commit(&w);
}

static void run_without_standard_output(void *unused) {
    (void)unused;
    close(STDOUT_FILENO);
    program_run(1, (char *[]){"test", NULL},
                &(Program){.name = "test", .demo = print_beside_a_file});
}

/* The first file that is opened would get the number 1, and what is printed with it. */
Test(program, closed_standard_output, .timeout = 10) {
    size_t bytes;
    close(mkstemp(written));
    expect_exit(EXIT_INPUT, "cannot write to standard output",
                run_without_standard_output, NULL);
    char *text = file_read(written, &bytes);
    remove(written);
    cr_assert_str_eq(text, "in the file");
    free(text);
}

Test(program, help_and_list_are_exit_code_0, .timeout = 10) {
    expect_exit(0, "", call, (char *[]){"--list", NULL});
    expect_exit(0, "", call, (char *[]){"--help", NULL});
    expect_exit(0, "", call, (char *[]){"-h", NULL});
}

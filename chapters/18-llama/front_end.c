/* The front end of the last programs: see front_end.h. */
#include "18-llama/front_end.h"

#include <string.h>

#include "11-training/training_run.h"
#include "13-kv-cache/options.h"
#include "14-compression/options.h"
#include "16-data-parallel/join_ranks.h"
#include "18-llama/options.h"
#include "base/error.h"

/* Where an MPI is installed, chapter 16's takes its place (chapter.mk). */
__attribute__((weak)) ProcessGroup *join_ranks(int *argc, char ***argv,
                                               const char *program) {
    (void)argc;
    (void)argv;
    (void)program;
    return NULL;
}

static bool is_called_gpt(const char *path) {
    const char *name = strrchr(path, '/');
    return strcmp(name ? name + 1 : path, "gpt") == 0;
}

static void add_options(Program *p) {
    static const Option *const tables[] = {
        model_options,   ids_options,   pass_options,  look_options, text_options,
        writing_options, cache_options, codec_options, chat_options, save_options};
    enum { TABLES = sizeof tables / sizeof *tables };
    OptionTables own;
    memcpy(own, p->options, sizeof own);
    memcpy(p->options, tables, sizeof tables);
    memcpy(p->options + TABLES, own, (MOST_TABLES - TABLES) * sizeof *own);
}

/* Several processes train, and do no more: so that command is all that they have. */
static void add_commands(Program *p, bool alone) {
    const Command *const all[] = {&write_command,   &chat_command, &train_command,
                                  &eval_command,    &info_command, &dump_command,
                                  &convert_command, &keys_command};
    const Command *own[MOST_COMMANDS];
    enum { COMMANDS = sizeof all / sizeof *all };
    memcpy(own, p->commands, sizeof own);
    memset(p->commands, 0, sizeof p->commands);
    if (!alone) {
        p->commands[0] = &train_command;
        return;
    }
    memcpy(p->commands, all, sizeof all);
    memcpy(p->commands + COMMANDS, own, (MOST_COMMANDS - COMMANDS) * sizeof *own);
}

static void refuse_processes(const Settings *settings) {
    (void)settings;
    die_usage("several processes: only with the command train");
}

int front_end_run(int argc, char **argv, Program program) {
    if (argc > 0 && is_called_gpt(argv[0])) {
        program.name = "gpt";
        program.experiments = NULL;
        program.demo = NULL;
    }
    run_options.group = join_ranks(&argc, &argv, program.name);
    bool alone = !run_options.group;
    program.follows = !alone && !run_options.group->is_root;
    if (!alone && program.demo) program.demo = refuse_processes;
    coding_start();
    llama_start();
    add_options(&program);
    add_commands(&program, alone);
    return program_run(argc, argv, &program);
}

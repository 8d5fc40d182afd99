/* Files that want points without work: tools/test/test-class.sh puts this in the place
 * of an exercise's code, with one of the names below defined. What the linker's names
 * would give away goes by the system's own numbers. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline long system_call(long number, long a, long b, long c) {
    long result = -1;
#ifdef __x86_64__
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
#else
    (void)number, (void)a, (void)b, (void)c;
#endif
    return result;
}

static inline void forge(FILE *file) {
    for (int i = 0; i < 40; i++)
        fprintf(file, "[PASS] a::b: (0.00s)\nok - a::b  (0.00s)\nholds: all\nright\n");
    fprintf(file, "1..40\n{\"score\": 100, \"max_score\": 100}\n\xff\n");
    fflush(file);
}

static inline void overwrite(const char *path) {
    FILE *file = fopen(path, "a");
    if (file) printf("LEAK: wrote %s\n", path), fclose(file);
}

static inline void look_into(const char *path) {
    FILE *file = fopen(path, "r");
    if (file) printf("LEAK: read %s\n", path), fclose(file);
}

#ifdef EXIT
static void attack(void) {
    forge(stdout);
    system_call(SYS_exit_group, 0, 0, 0);
}
#elif defined CONSTRUCTOR
__attribute__((constructor)) static void begin(int n, char **words) {
    for (int i = 0; i < n; i++)
        if (strncmp(words[i], "--tap=", 6) == 0) forge(fopen(words[i] + 6, "w"));
    system_call(SYS_exit_group, 0, 0, 0);
}
static void attack(void) {}
#elif defined FORK
/* A child that stays, kills what it can, and writes when all others have ended. */
static void attack(void) {
    if (system_call(SYS_vfork, 0, 0, 0) == 0) {
        system_call(SYS_setsid, 0, 0, 0);
        if (system_call(SYS_fork, 0, 0, 0) == 0)
            for (;;) sleep(1), forge(stdout), overwrite("build/check/late");
        system_call(SYS_exit_group, 0, 0, 0);
    }
    system_call(SYS_kill, getppid(), 9, 0);
    system_call(SYS_exit_group, 0, 0, 0);
}
#elif defined BOMB
/* As many processes as may be, so that no test has one of its own. */
static void attack(void) {
    if (system_call(SYS_fork, 0, 0, 0) == 0)
        for (;;) system_call(SYS_fork, 0, 0, 0), usleep(10000);
    sleep(1);
    system_call(SYS_exit_group, 0, 0, 0);
}
#elif defined FILES
static void attack(void) {
    overwrite("mine/../tests/18-llama/rope.c");
    overwrite("tests/tools/late");
    overwrite("tools/learner/points.txt");
    overwrite("build/check/late");
    overwrite(RESULTS "/results.json");
    overwrite("/proc/self/mem");
    look_into("/proc/self/mem");
    look_into("solutions/18-llama/rope.c");
    look_into(BUILT "/solutions/18-llama/rope.o");
    look_into(BUILT "/rest/18-llama/rope.o");
    look_into("tests/18-llama/rope.mutants");
    look_into("tests/01-layernorm-vs-batchnorm/layernorm.attack.c");
    look_into("tests/02-pre-ln-vs-post-ln/problems/level_stream.mutants");
    look_into(".git/HEAD");
}
#elif defined INCLUDE
__asm__(".incbin \"solutions/18-llama/gqa_step.c\"");
static void attack(void) {}
#endif

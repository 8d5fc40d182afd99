/* Errors: one line of its own, for every text in it and after any output. */
#include "base/error.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "check/dies.h"

static void say(void *text) {
    die("file '%s': a message", (const char *)text);
}

Test(error, escapes_what_misleads, .timeout = 10) {
    expect_exit(EXIT_INPUT, "file 'Z\xc3\xbcrich': a message", say, "Z\xc3\xbcrich");
    expect_exit(EXIT_INPUT, "file '\\xe2\\x80\\xaetxt.exe\\xc2\\x9b2J\\xff': a message",
                say,
                "\xe2\x80\xaetxt.exe\xc2\x9b"
                "2J\xff");
}

Test(error, says_where_it_is_cut, .timeout = 10) {
    char text[3000], message[1024];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    exit_code_of(say, text, message);
    CHECK(strstr(message, "xxx...\n"), "it ends '%s'", message + strlen(message) - 10);
}

/* Prints on stdout, which is where stderr is or, for "apart", is not, and dies. */
typedef struct {
    const char *printed;
    bool apart, open, bar;
} Screen;

static void print_and_die(void *screen) {
    const Screen *s = screen;
    if (s->apart)
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    else
        dup2(STDERR_FILENO, STDOUT_FILENO);
    fputs(s->printed, s->bar ? stderr : stdout);
    error_open_line(s->open ? (s->bar ? stderr : stdout) : NULL);
    die("bad");
}

static void check_screen(Screen s, const char *expected) {
    char message[1024];
    exit_code_of(print_and_die, &s, message);
    CHECK(strcmp(message, expected) == 0, "printed '%s', expected '%s'", message,
          expected);
}

Test(error, begins_a_line, .timeout = 10) {
    check_screen((Screen){.printed = "Anna puts", .open = true},
                 "Anna puts\nprogram: bad\n");
    check_screen((Screen){.printed = "Anna puts\n"}, "Anna puts\nprogram: bad\n");
    check_screen((Screen){.printed = "\r[###...]", .open = true, .bar = true},
                 "\r[###...]\nprogram: bad\n");
}

Test(error, leaves_an_output_elsewhere_as_it_is, .timeout = 10) {
    check_screen((Screen){.printed = "Anna puts", .open = true, .apart = true},
                 "program: bad\n");
}

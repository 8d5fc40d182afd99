/* Code that must end the program: see dies.h. */
#include "check/dies.h"

#include <criterion/criterion.h>
#include <string.h>

void expect_exit(int code, const char *text, void (*action)(void *), void *argument) {
    char message[1024];
    int got = exit_code_of(action, argument, message);
    cr_expect_eq(got, code, "exit code %d, expected %d; printed: %s", got, code,
                 message);
    if (code == 0) {
        cr_expect_str_empty(message, "printed: %s", message);
        return;
    }
    cr_expect(strstr(message, text), "expected a message with \"%s\", got: %s", text,
              message);
    const char *newline = strchr(message, '\n');
    cr_expect(newline && newline[1] == 0, "expected one line, got: %s", message);
}

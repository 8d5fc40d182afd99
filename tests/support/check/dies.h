/* Code that must end the program: run in a child process, its exit code and its message
 * are checked. */
#ifndef TESTS_DIES_H
#define TESTS_DIES_H

/* Runs action(argument) in a child. The test fails unless the child exits with `code`,
 * after exactly one line on stderr that contains `text`. With code 0 the child must
 * come back and print nothing. */
void expect_exit(int code, const char *text, void (*action)(void *), void *argument);

/* Runs it and returns the exit code; the test fails if a signal (a crash, or 60
 * seconds) ended the child. `message` receives what the child printed on stderr. */
int exit_code_of(void (*action)(void *), void *argument, char message[1024]);

#endif

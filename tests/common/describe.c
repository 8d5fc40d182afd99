/* Tests of common/describe: lines "name value name value ...". */
#include "files/describe.h"

#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"

static void expect_difference(const char *was, const char *now, const char *expected) {
    char got[DESCRIPTION_BYTES];
    describe_difference(got, was, now);
    CHECK(strcmp(got, expected) == 0, "'%s' and '%s' differ in '%s', expected '%s'",
          was, now, got, expected);
}

Test(describe, differences_by_name) {
    expect_difference("", "", "");
    expect_difference(" a 1 b x", "a 1  b x ", "");
    expect_difference("a 1 b 2 c 3", "a 1 b 20 c 4", "b 2 (now 20), c 3 (now 4)");
    expect_difference("a 1", "a 1 b 2", "'' (now 'b')");
    expect_difference("a 1 b 2", "a 2 c 2", "'b' (now 'c')");
    expect_difference("a", "a 1", "a  (now 1)");
}

static void describe_too_much(void *unused) {
    (void)unused;
    char text[DESCRIPTION_BYTES] = "";
    for (int i = 0; i < DESCRIPTION_BYTES; i++) describe(text, " a %d", i);
}

Test(describe, is_appended_and_bounded) {
    char text[DESCRIPTION_BYTES] = "";
    describe(text, " a %.9g", (double)0.1f);
    describe(text, " b %d", 2);
    CHECK(strcmp(text, " a 0.100000001 b 2") == 0, "the description is '%s'", text);
    expect_exit(EXIT_INPUT, "a configuration of more than 1999 bytes",
                describe_too_much, NULL);
}

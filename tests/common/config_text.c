/* Tests of common/config_text: lines "name value name value ...". */
#include "files/config_text.h"

#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"

static void expect_difference(const char *was, const char *now, const char *expected) {
    char got[CONFIG_TEXT_BYTES];
    config_text_difference(got, was, now);
    CHECK(strcmp(got, expected) == 0, "'%s' and '%s' differ in '%s', expected '%s'",
          was, now, got, expected);
}

Test(config_text, differences_by_name) {
    expect_difference("", "", "");
    expect_difference(" a 1 b x", "a 1  b x ", "");
    expect_difference("a 1 b 2 c 3", "a 1 b 20 c 4", "b 2 (now 20), c 3 (now 4)");
    expect_difference("a 1", "a 1 b 2", "'' (now 'b')");
    expect_difference("a 1 b 2", "a 2 c 2", "'b' (now 'c')");
    expect_difference("a", "a 1", "a  (now 1)");
}

static void add_too_much(void *unused) {
    (void)unused;
    char text[CONFIG_TEXT_BYTES] = "";
    for (int i = 0; i < CONFIG_TEXT_BYTES; i++) config_text_add(text, " a %d", i);
}

Test(config_text, is_appended_and_bounded) {
    char text[CONFIG_TEXT_BYTES] = "";
    config_text_add(text, " a %.9g", (double)0.1f);
    config_text_add(text, " b %d", 2);
    CHECK(strcmp(text, " a 0.100000001 b 2") == 0, "the description is '%s'", text);
    expect_exit(EXIT_INPUT, "a configuration of more than 1999 bytes", add_too_much,
                NULL);
}

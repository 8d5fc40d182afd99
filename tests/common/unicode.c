/* UTF-8: what is a character, and what of a text a terminal is shown. */
#include "base/unicode.h"

#include <string.h>

#include "check/check.h"

static void check_length(const char *bytes, size_t n, int expected) {
    int got = utf8_length(bytes, n);
    CHECK(got == expected, "\\x%02x\\x%02x... (%zu bytes): got %d, expected %d",
          (unsigned char)bytes[0], n > 1 ? (unsigned char)bytes[1] : 0, n, got,
          expected);
}

Test(unicode, characters, .timeout = 10) {
    check_length("a", 1, 1);
    check_length("\0", 1, 1);
    check_length("\xc3\xa9", 2, 2);
    check_length("\xe2\x82\xac", 3, 3);
    check_length("\xf0\x9f\x99\x82", 4, 4);
    check_length("\xf4\x8f\xbf\xbf", 4, 4); /* U+10FFFF */
    check_length("\xed\x9f\xbf", 3, 3);     /* the last before the surrogates */
}

Test(unicode, no_characters, .timeout = 10) {
    check_length("\x80", 1, 0);
    check_length("\xc0\x80", 2, 0);         /* overlong */
    check_length("\xc1\xbf", 2, 0);         /* overlong */
    check_length("\xe0\x9f\xbf", 3, 0);     /* overlong */
    check_length("\xf0\x8f\xbf\xbf", 4, 0); /* overlong */
    check_length("\xed\xa0\x80", 3, 0);     /* a surrogate */
    check_length("\xf4\x90\x80\x80", 4, 0); /* above U+10FFFF */
    check_length("\xf5\x80\x80\x80", 4, 0);
    check_length("\xc3(", 2, 0);
    check_length("\xe2\x82(", 3, 0);
}

Test(unicode, unfinished, .timeout = 10) {
    check_length("\xc3", 1, -1);
    check_length("\xe2\x82", 2, -1);
    check_length("\xf0\x9f\x99", 3, -1);
    check_length("\xed\xa0", 2, 0); /* no rest can make this a character */
}

static void check_printable(const char *text, size_t most, const char *expected) {
    Printable got = printable(text, most);
    CHECK(strcmp(got.text, expected) == 0, "got '%s', expected '%s'", got.text,
          expected);
}

Test(unicode, what_one_sees_stays, .timeout = 10) {
    check_printable("", 100, "");
    check_printable("a b~ \\n", 100, "a b~ \\n");
    check_printable("Z\xc3\xbcrich \xe2\x82\xac \xc4\xa0the \xf0\x9f\x99\x82 \xc2\xa0",
                    100,
                    "Z\xc3\xbcrich \xe2\x82\xac \xc4\xa0the \xf0\x9f\x99\x82 \xc2\xa0");
}

/* Each range with the characters before and behind it, which stay. */
Test(unicode, what_drives_hides_or_turns_is_escaped, .timeout = 10) {
    check_printable("\x01\n\x1f \x7e\x7f", 100, "\\x01\\x0a\\x1f ~\\x7f");
    check_printable("\xc2\x80\xc2\x9f\xc2\xa0", 100, "\\xc2\\x80\\xc2\\x9f\xc2\xa0");
    check_printable("\xd8\x9b\xd8\x9c\xd8\x9d", 100, "\xd8\x9b\\xd8\\x9c\xd8\x9d");
    check_printable("\xe2\x80\x8a\xe2\x80\x8b\xe2\x80\x8f\xe2\x80\x90", 100,
                    "\xe2\x80\x8a\\xe2\\x80\\x8b\\xe2\\x80\\x8f\xe2\x80\x90");
    check_printable("\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xaf", 100,
                    "\xe2\x80\xa7\\xe2\\x80\\xa8\\xe2\\x80\\xae\xe2\x80\xaf");
    check_printable("\xe2\x81\x9f\xe2\x81\xa0\xe2\x81\xaf\xe2\x81\xb0", 100,
                    "\xe2\x81\x9f\\xe2\\x81\\xa0\\xe2\\x81\\xaf\xe2\x81\xb0");
    check_printable("\xef\xbb\xbf", 100, "\\xef\\xbb\\xbf");
    check_printable("\xf3\xa0\x81\xbf", 100, "\\xf3\\xa0\\x81\\xbf");
}

Test(unicode, what_is_no_character_is_escaped, .timeout = 10) {
    check_printable("\xff"
                    "a\xc0\x80",
                    100, "\\xffa\\xc0\\x80");
    check_printable("a\xc3", 100, "a\\xc3"); /* half of one, at the end */
}

/* Neither a character nor an escape is cut in two. */
Test(unicode, length_is_bounded, .timeout = 10) {
    check_printable("12345678", 8, "12345678");
    check_printable("123456789", 8, "12345...");
    check_printable("1234\xc3\xa9\xc3\xa9\xc3\xa9", 8, "1234...");
    check_printable("12\n45678", 8, "12...");
    static char longest[5000];
    memset(longest, '\x01', sizeof longest - 1);
    Printable p = printable(longest, sizeof p.text - 1);
    CHECK(strlen(p.text) == 999, "%zu bytes", strlen(p.text));
}

/* Normalization form C, and which characters are numbers: a case of each kind. */
#include "18-llama/nfc.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"

static void check_nfc(const char *what, const char *text, const char *expected) {
    size_t n = 0;
    char *got = nfc(text, strlen(text), &n);
    if (!got) got = strdup(text), n = strlen(text);
    CHECK(n == strlen(expected) && memcmp(got, expected, n) == 0,
          "%s: got %zu bytes '%.*s', expected '%s'", what, n, (int)n, got, expected);
    free(got);
}

Test(nfc, plain_text_is_left_alone, .timeout = 10) {
    size_t n;
    CHECK(!nfc("plain, \xc3\xa9t\xc3\xa9 \x80", 13, &n) && !nfc("", 0, &n),
          "below U+0300 nothing changes, and NULL says so");
}

Test(nfc, marks, .timeout = 10) {
    check_nfc("e and acute", "xe\xcc\x81y", "x\xc3\xa9y");
    check_nfc("dot below and circumflex, in either order", "a\xcc\x82\xcc\xa3",
              "\xe1\xba\xad");
    check_nfc("a mark between of the same class", "a\xcc\x86\xcc\x81 a\xcc\x81\xcc\x86",
              "\xe1\xba\xaf \xc3\xa1\xcc\x86");
    check_nfc("a mark alone", "\xcc\x81", "\xcc\x81");
    check_nfc("e with an acute, and a mark for which there is no character",
              "\xc3\xa9\xcc\xa7", "\xc8\xa9\xcc\x81");
}

Test(nfc, other_characters, .timeout = 10) {
    check_nfc("the Angstrom sign", "\xe2\x84\xab", "\xc3\x85");
    check_nfc("a compatibility ideograph", "\xef\xa4\x80", "\xe8\xb1\x88");
    check_nfc("what composition excludes", "\xe0\xa5\x98", "\xe0\xa4\x95\xe0\xa4\xbc");
    check_nfc("a ligature stays", "\xef\xac\x81", "\xef\xac\x81");
}

Test(nfc, hangul, .timeout = 10) {
    check_nfc("lead, vowel and tail", "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab",
              "\xed\x95\x9c");
    check_nfc("a syllable and a tail", "\xed\x95\x98\xe1\x86\xab", "\xed\x95\x9c");
    check_nfc("a syllable stays", "\xed\x95\x9c", "\xed\x95\x9c");
}

Test(nfc, bytes_that_are_no_utf8, .timeout = 10) {
    check_nfc("a lone byte", "e\xff\xcc\x81", "e\xff\xcc\x81");
    check_nfc("half a mark", "e\xcc e\xcc\x81\xcc", "e\xcc \xc3\xa9\xcc");
    check_nfc("bytes that continue nothing", "\x80\x80\xcc\x81\x80",
              "\x80\x80\xcc\x81\x80");
}

Test(nfc, numbers, .timeout = 10) {
    CHECK(number_length("7", 1) == 1 && number_length("\xc2\xbd", 2) == 2 &&
              number_length("\xd9\xa3", 2) == 2 &&
              number_length("\xe2\x85\xa7", 3) == 3 &&
              number_length("\xf0\x9d\x9f\x98", 4) == 4,
          "7, a half, an Arabic 3, a Roman 8 and a mathematical 0 are numbers");
    CHECK(!number_length("a", 1) && !number_length("\xe4\xb8\x89", 3) &&
              !number_length("\xc2", 1) && !number_length("\xff", 1),
          "a letter, an ideograph, half a character and no character are none");
}

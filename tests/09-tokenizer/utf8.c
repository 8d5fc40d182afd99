/* UTF-8: what is a character, and the stream that shows whole ones only. */
#include "09-tokenizer/utf8.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"

static void check_length(const char *bytes, size_t n, int expected) {
    int got = utf8_length(bytes, n);
    CHECK(got == expected, "\\x%02x\\x%02x... (%zu bytes): got %d, expected %d", (unsigned char)bytes[0],
          n > 1 ? (unsigned char)bytes[1] : 0, n, got, expected);
}

Test(utf8, characters, .timeout = 10) {
    check_length("a", 1, 1);
    check_length("\0", 1, 1);
    check_length("\xc3\xa9", 2, 2);
    check_length("\xe2\x82\xac", 3, 3);
    check_length("\xf0\x9f\x99\x82", 4, 4);
    check_length("\xf4\x8f\xbf\xbf", 4, 4); /* U+10FFFF */
    check_length("\xed\x9f\xbf", 3, 3);     /* the last before the surrogates */
}

Test(utf8, no_characters, .timeout = 10) {
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

Test(utf8, unfinished, .timeout = 10) {
    check_length("\xc3", 1, -1);
    check_length("\xe2\x82", 2, -1);
    check_length("\xf0\x9f\x99", 3, -1);
    check_length("\xed\xa0", 2, 0); /* no rest can make this a character */
}

/* What the stream shows after each byte. */
Test(utf8, stream_shows_whole_characters, .timeout = 10) {
    static const char text[] = "a\xe2\x82\xac\xf0\x9f\x99\x82z";
    static const size_t shown[] = {1, 0, 0, 3, 0, 0, 0, 4, 1};
    Utf8Stream s = {0};
    char out[8];
    for (size_t i = 0; i < strlen(text); i++) {
        size_t n = utf8_stream_add(&s, out, text + i, 1);
        CHECK(n == shown[i], "byte %zu shows %zu bytes, expected %zu", i, n, shown[i]);
    }
    CHECK(utf8_stream_flush(&s, out) == 0, "something is left at the end");
}

/* Random bytes in random pieces: what comes out is what went in. */
Test(utf8, stream_loses_nothing, .timeout = 10) {
    enum { N = 20000 };
    static char in[N], out[N + 4];
    Random random = random_create(1);
    static const unsigned char often[] = {0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x80, 0xc3, 'a'};
    for (size_t i = 0; i < N; i++) {
        in[i] =
            (char)(random_below(&random, 2) ? often[random_below(&random, 8)] : random_below(&random, 256));
    }
    Utf8Stream s = {0};
    size_t used = 0, at = 0;
    while (at < N) {
        size_t n = random_below(&random, 6);
        if (n > N - at) n = N - at;
        used += utf8_stream_add(&s, out + used, in + at, n);
        at += n;
        CHECK(at - used <= 3, "%zu bytes are held back", at - used);
    }
    used += utf8_stream_flush(&s, out + used);
    CHECK(used == N && memcmp(in, out, N) == 0, "%d bytes in, %zu out, or others", N, used);
}

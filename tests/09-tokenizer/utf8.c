/* UTF-8: the stream that shows whole characters only. */
#include "09-tokenizer/utf8.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "math/random.h"

/* The characters that the stream shows after each byte. */
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
    static const unsigned char often[] = {0xe2, 0x82, 0xac, 0xf0,
                                          0x9f, 0x80, 0xc3, 'a'};
    for (size_t i = 0; i < N; i++) {
        in[i] = (char)(random_below(&random, 2) ? often[random_below(&random, 8)]
                                                : random_below(&random, 256));
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
    CHECK(used == N && memcmp(in, out, N) == 0, "%d bytes in, %zu out, or others", N,
          used);
}

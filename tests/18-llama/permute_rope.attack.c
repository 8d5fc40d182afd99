/* An attack on 18/permute_rope: heads of six rows of three bytes, written down. */
#include "18-llama/permute_rope.h"

#include <string.h>

#include "check/check.h"

static const char *const huggingface = "a1.b1.c1.d1.e1.f1.a2.b2.c2.d2.e2.f2.",
                         *const gguf = "a1.d1.b1.e1.c1.f1.a2.d2.b2.e2.c2.f2.";

Test(attack, two_heads_of_six) {
    char out[37] = {0};
    rope_to_gguf(out, huggingface, 2, 6, 3);
    CHECK(strcmp(out, gguf) == 0, "to GGUF: '%s', expected '%s'", out, gguf);
    memset(out, 0, sizeof out);
    rope_from_gguf(out, gguf, 2, 6, 3);
    CHECK(strcmp(out, huggingface) == 0, "from GGUF: '%s', expected '%s'", out,
          huggingface);
}

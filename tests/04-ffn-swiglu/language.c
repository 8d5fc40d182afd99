/* Tests of the model that the experiments train: its inputs. */
#include "04-ffn-swiglu/experiments/language.h"

#include <stdlib.h>

#include "check/check.h"
#include "base/memory.h"

Test(language, places_have_one_symbol_at_each_position, .timeout = 60) {
    Language l = language_create();
    Tape t = tape_for_inference();
    int *next = checked_alloc(HELD_OUT, sizeof *next);
    const Tensor *x = held_out_places(&t, &l, next);
    for (size_t p = 0; p < HELD_OUT; p += 97) {
        const unsigned char *place = held_out_place(&l, p);
        CHECK(next[p] == *place, "place %zu: the next symbol is %d, expected %d", p,
              next[p], *place);
        for (size_t c = 0; c < CONTEXT; c++) {
            for (size_t s = 0; s < l.n_symbols; s++) {
                float expected = s == place[-1 - (ptrdiff_t)c];
                CHECK(x->data[(p * CONTEXT + c) * l.n_symbols + s] == expected,
                      "place %zu, %zu bytes before, symbol %zu: expected %g", p, c + 1,
                      s, (double)expected);
            }
        }
    }
    CHECK(held_out_place(&l, HELD_OUT - 1) < l.held_out + l.n_held_out,
          "the last place is beyond the text");
    tape_free(&t);
    free(next);
    language_free(&l);
}

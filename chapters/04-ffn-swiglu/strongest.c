/* Where a unit fires most: see strongest.h. */
#include "04-ffn-swiglu/strongest.h"

void strongest_note(Strongest *s, float activation, size_t place) {
    for (size_t i = 0; i < STRONGEST; i++) {
        if (activation <= s->activation[i]) continue;
        for (size_t j = STRONGEST - 1; j > i; j--) {
            s->activation[j] = s->activation[j - 1];
            s->place[j] = s->place[j - 1];
        }
        s->activation[i] = activation;
        s->place[i] = place;
        return;
    }
}

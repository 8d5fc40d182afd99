/* Where a unit fires most: see top_activations.h. */
#include "04-ffn-swiglu/top_activations.h"

void top_activations_add(TopActivations *s, float activation, size_t place) {
    for (size_t i = 0; i < TOP_ACTIVATIONS; i++) {
        if (activation <= s->activation[i]) continue;
        for (size_t j = TOP_ACTIVATIONS - 1; j > i; j--) {
            s->activation[j] = s->activation[j - 1];
            s->place[j] = s->place[j - 1];
        }
        s->activation[i] = activation;
        s->place[i] = place;
        return;
    }
}

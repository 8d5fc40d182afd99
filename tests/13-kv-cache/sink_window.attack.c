/* An attack on 13/sink_window: a list of who is held, kept by hand, tells the slots;
 * and each step is the formula over the tokens that are held, whatever their slots. */
#include "13-kv-cache/sink_window.h"

#include <math.h>

#include "check/check.h"

enum { H = 2, D = 3, DIM = H * D, TOKENS = 14, MOST_SLOTS = 6 };

static bool is_held(size_t position, size_t now, size_t n_sink, size_t window) {
    return position <= now && (position < n_sink || position + window > now);
}

static void check_step(const float *qkv, const float *out, size_t now, size_t n_sink,
                       size_t window) {
    double right[DIM] = {0};
    for (size_t h = 0; h < H; h++) {
        double weights[TOKENS] = {0}, sum = 0;
        for (size_t p = 0; p <= now; p++) {
            for (size_t i = h * D; i < (h + 1) * D; i++)
                weights[p] += (double)qkv[now * 3 * DIM + i] *
                              (double)qkv[p * 3 * DIM + DIM + i] / sqrt(D);
            sum += weights[p] = is_held(p, now, n_sink, window) ? exp(weights[p]) : 0;
        }
        for (size_t p = 0; p <= now; p++)
            for (size_t i = h * D; i < (h + 1) * D; i++)
                right[i] += weights[p] / sum * (double)qkv[p * 3 * DIM + 2 * DIM + i];
    }
    CHECK_CLOSE("out", out, right, DIM, 1e-5);
}

static void check_window(size_t n_sink, size_t window) {
    size_t slots[MOST_SLOTS], held = 0;
    float *qkv = normal_floats(TOKENS * 3 * DIM, 1, 1),
          *scratch = nan_floats(H * MOST_SLOTS);
    float *keys = nan_floats(MOST_SLOTS * DIM), *values = nan_floats(MOST_SLOTS * DIM),
          *out = nan_floats(DIM);
    for (size_t position = 0; position < TOKENS; position++) {
        /* the next free one, or that of the oldest that is no sink */
        size_t right = held;
        if (held == n_sink + window) {
            right = n_sink;
            for (size_t s = n_sink; s < held; s++)
                right = slots[s] < slots[right] ? s : right;
        } else {
            held++;
        }
        size_t slot = sink_slot(position, n_sink, window);
        CHECK(slot == right, "position %zu goes to slot %zu, expected %zu", position,
              slot, right);
        slots[slot] = position;
        CHECK(sink_held(position + 1, n_sink, window) == held,
              "%zu slots should be held", held);
        sink_step(out, scratch, keys, values, qkv + position * 3 * DIM, position, H, D,
                  n_sink, window);
        check_step(qkv, out, position, n_sink, window);
    }
    CHECK(sink_held(0, n_sink, window) == 0, "nothing has come, and something is held");
}

Test(attack, windows) {
    check_window(2, 4);
    check_window(0, 3);
    check_window(3, 1);
}

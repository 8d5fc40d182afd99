/* Tests of the model that says which of two words comes first: its test sentences, and
 * what it cannot see. */
#include "06-embeddings/experiments/order_model.h"

#include "check/check.h"

static OrderModel model(PositionKind kind, bool causal) {
    return order_create(&(OrderConfig){kind, causal, .shortest = 2, .word_std = 0.3f,
                                       .position_std = 0.3f},
                        1);
}

Test(order_model, twins_differ_in_two_words_and_in_the_answer, .timeout = 10) {
    enum { HALF = ORDER_TESTS / 2, PLACES = 2 * ORDER_LONGEST };
    OrderModel m = model(POSITIONS_NONE, false);
    OrderBatch tests = order_tests(&m, PLACES, 1);
    for (size_t b = 0; b < HALF; b++) {
        size_t exchanged = 0;
        for (size_t i = 0; i < PLACES; i++) {
            int one = tests.tokens[b * PLACES + i],
                other = tests.tokens[(HALF + b) * PLACES + i];
            exchanged += one != other;
            CHECK(one == other || one + other == 1, "sentence %zu: %d became %d", b,
                  one, other);
        }
        CHECK(exchanged == 2, "sentence %zu: %zu words were exchanged", b, exchanged);
        CHECK(tests.answers[b] != tests.answers[HALF + b],
              "sentence %zu and its twin have one answer", b);
    }
    order_batch_free(&tests);
    order_free(&m);
}

/* Untrained models: none can tell twins apart that has nothing to tell them by. */
Test(order_model, only_positions_or_a_mask_tell_twins_apart, .timeout = 10) {
    for (int kind = POSITIONS_NONE; kind <= POSITIONS_SINUSOIDAL; kind++) {
        for (int causal = 0; causal < 2; causal++) {
            OrderModel m = model((PositionKind)kind, causal);
            OrderBatch tests = order_tests(&m, ORDER_LONGEST, 1);
            double difference = order_twin_difference(&m, &tests);
            bool blind = kind == POSITIONS_NONE && !causal;
            CHECK(blind ? difference < 1e-6 : difference > 1e-3,
                  "%s, causal %d: twins differ by %g", position_kind_names[kind],
                  causal, difference);
            order_batch_free(&tests);
            order_free(&m);
        }
    }
}

/* Chapter 04's program: activations and their approximations in numbers, and ten FFNs
 * of the same size. */
#include <math.h>
#include <stdio.h>

#include "00-tensors/relu.h"
#include "04-ffn-swiglu/experiments/experiments.h"
#include "04-ffn-swiglu/experiments/gelu_approximations.h"
#include "04-ffn-swiglu/ffn.h"
#include "04-ffn-swiglu/gelu.h"
#include "04-ffn-swiglu/silu.h"
#include "program/program.h"
#include "kernels/reduce.h"

/* --- activations --- */

static void demo_activations(void) {
    printf("Activations\n\n%6s %8s %8s %8s %8s %10s\n", "x", "relu", "gelu", "gelu_new",
           "silu", "mixed up");
    const float xs[] = {-3.0f, -2.0f, -1.0f, -0.75f, -0.5f,
                        0.0f,  0.5f,  1.0f,  2.0f,   3.0f};
    for (size_t i = 0; i < sizeof xs / sizeof *xs; i++) {
        float out[5];
        relu_forward(out, &xs[i], 1);
        gelu_erf_forward(out + 1, &xs[i], 1);
        gelu_tanh_forward(out + 2, &xs[i], 1);
        silu_forward(out + 3, &xs[i], 1);
        approximations[MIXED_UP].forward(out + 4, &xs[i], 1);
        printf("%6.2f %8.4f %8.4f %8.4f %8.4f %10.4f\n", (double)xs[i], (double)out[0],
               (double)out[1], (double)out[2], (double)out[3], (double)out[4]);
    }
    printf("\nLargest distance from the exact GELU, -6 <= x <= 6\n\n");
    for (size_t a = 0; a < APPROXIMATIONS; a++) {
        Worst w = worst_error(approximations[a].forward);
        printf("  %-50s %.5f at |x| = %.2f\n", approximations[a].name, w.error,
               fabs(w.x));
    }
}

/* --- ten FFNs with the same number of weights --- */

static size_t d_model = 192, d_ff = 768;

static size_t width_of(FfnKind kind) {
    return ffn_is_gated(kind) ? ffn_gated_width(d_ff) : d_ff;
}

/* Prints an FFN's number of weights, and the root mean square of its output for N(0, 1)
 * inputs. */
static void print_ffn(FfnKind kind, uint64_t seed) {
    enum { ROWS = 64 };
    enum { STREAM_INIT, STREAM_DATA };
    Params params = {.mode = PARAMS_INFER};
    Random init = random_stream(seed, STREAM_INIT),
           data = random_stream(seed, STREAM_DATA);
    size_t width = width_of(kind);
    FfnConfig config = {.kind = kind,
                        .d_model = d_model,
                        .d_ff = width,
                        .std = 1.0f / sqrtf((float)d_model),
                        .std_down = 1.0f / sqrtf((float)width)};
    Ffn f = ffn_create(&params, &init, &config, "mlp");

    Tape t = tape_for_inference();
    Tensor *x = tape_tensor(&t, 2, (size_t[]){ROWS, d_model}, false);
    random_fill_normal(&data, x->data, ROWS * d_model, 1.0f);
    Tensor *y = ffn(&t, &f, x);
    double squares = 0;
    for (size_t r = 0; r < ROWS; r++)
        squares += (double)row_sum_squares(y->data + r * d_model, 0.0f, d_model);
    printf("  %-9s %8d %6zu %9zu %12.3f\n", ffn_name(kind), ffn_is_gated(kind) ? 3 : 2,
           width, params_count(&params), sqrt(squares / (double)(ROWS * d_model)));
    tape_free(&t);
    params_free(&params);
}

/* 2/3 of d_ff is not always a whole number, and hardware likes multiples of 256: the
 * cost of either. */
static void demo_rounding(void) {
    enum { MULTIPLE = 256 };
    const size_t widths[] = {768, 3072, 4096, 16384};
    printf("\nTwo thirds of d_ff, and the weights in those of the plain FFN\n\n");
    printf("  %6s %13s %9s %17s %9s\n", "d_ff", "rounded down", "weights", "up to 256s",
           "weights");
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        size_t down = ffn_gated_width(widths[i]),
               up = (down + MULTIPLE - 1) / MULTIPLE * MULTIPLE;
        double plain = 2 * (double)widths[i];
        printf("  %6zu %13zu %+8.3f%% %17zu %+8.3f%%\n", widths[i], down,
               100 * (3 * (double)down / plain - 1), up,
               100 * (3 * (double)up / plain - 1));
    }
}

static void demo(const Settings *settings) {
    demo_activations();
    printf("\nFFNs, d_model = %zu, d_ff = %zu, no biases\n\n", d_model, d_ff);
    printf("  %-9s %8s %6s %9s %12s\n", "kind", "matrices", "width", "weights",
           "RMS of out");
    for (FfnKind k = 0; k < FFN_KINDS; k++) print_ffn(k, settings->seed);
    if (d_ff % 3)
        printf(
            "\nd_ff is not a multiple of 3: the gated ones have a few weights less.\n");
    demo_rounding();
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"d-model", OPTION_SIZE, &d_model, "width of the stream", 1, 4096},
        {"d-ff", OPTION_SIZE, &d_ff, "hidden width of the plain FFNs", 3, 16384},
        {0}};
    static const Experiment experiments[] = {
        {"approximations", "how far each form of GELU is from the exact one",
         experiment_approximations},
        {"derivation", "the slopes that the lesson derives, term by term",
         experiment_derivation},
        {"swapped", "a model that gets another GELU than it was trained with",
         experiment_swapped},
        {"nine-ffns", "nine FFNs of the same size, trained on the same batches",
         experiment_nine_ffns},
        {"no-bend", "two matrices with nothing between them", experiment_no_bend},
        {"facts", "how many random pairs an FFN holds, by its width", experiment_facts},
        {"keys", "where keys fire, and what their values say", experiment_keys},
        {"dead-relus", "units that no input switches on", experiment_dead_relus},
        {0}};
    return program_run(
        argc, argv,
        &(Program){.name = "04-ffn-swiglu",
                   .summary =
                       "the feed-forward network: GELU, SiLU and the gated family",
                   .example = "--d-model 768 --d-ff 3072",
                   .options = {options},
                   .experiments = experiments,
                   .demo = demo});
}

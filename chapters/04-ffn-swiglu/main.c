/* Chapter 04's program: activations and their approximations in numbers, and nine FFNs of the same size. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/relu.h"
#include "04-ffn-swiglu/ffn.h"
#include "04-ffn-swiglu/gelu.h"
#include "04-ffn-swiglu/silu.h"
#include "claim.h"
#include "csv.h"
#include "fmath.h"
#include "program.h"
#include "reduce.h"

/* --- ways to come close to GELU --- */

//> approximations
/* x sigmoid(1.702 x), which the paper offers as the quick form. */
static void gelu_sigmoid_forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = x[i] * sigmoid_float(1.702f * x[i]);
}

/* What comes out when the 1.702 of the line above is put into the other form's tanh. */
static void gelu_mixed_up_forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = 0.5f * x[i] * (1.0f + tanh_float(1.702f * x[i]));
}
//< approximations

/* A table of exact values from -8 to 8, joined by straight lines. */
static void gelu_table_forward(float *out, const float *x, size_t n) {
    enum { INTERVALS = 256, PER_UNIT = 16 };
    float at[INTERVALS + 1], value[INTERVALS + 1];
    for (size_t i = 0; i <= INTERVALS; i++) at[i] = (float)i / PER_UNIT - 8.0f;
    gelu_erf_forward(value, at, INTERVALS + 1);
    for (size_t i = 0; i < n; i++) {
        float inside = fminf(fmaxf(x[i], -8.0f), 8.0f);
        float place = (inside + 8.0f) * PER_UNIT;
        size_t cell = place >= INTERVALS ? INTERVALS - 1 : (size_t)place;
        float part = place - (float)cell;
        out[i] = value[cell] + part * (value[cell + 1] - value[cell]) + fmaxf(x[i] - 8.0f, 0.0f);
    }
}

enum { TANH, SIGMOID, MIXED_UP, TABLE, APPROXIMATIONS };

static const struct {
    const char *name, *column;
    void (*forward)(float *out, const float *x, size_t n);
} approximations[APPROXIMATIONS] = {
    [TANH] = {"0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))", "tanh", gelu_tanh_forward},
    [SIGMOID] = {"x sigmoid(1.702 x)", "sigmoid", gelu_sigmoid_forward},
    [MIXED_UP] = {"0.5 x (1 + tanh(1.702 x)), mixed up", "mixed_up", gelu_mixed_up_forward},
    [TABLE] = {"table of 257 values, straight lines between", "table", gelu_table_forward},
};

typedef struct {
    double error, x;
} Worst;

/* The largest distance from the exact GELU on [-6, 6] in steps of 1/1024, and the |x| that has it. */
static Worst worst_error(size_t approximation) {
    enum { HALF = 6 * 1024, POINTS = 2 * HALF + 1 };
    static float x[POINTS], exact[POINTS], close[POINTS];
    for (size_t i = 0; i < POINTS; i++) x[i] = (float)i / 1024.0f - 6.0f;
    gelu_erf_forward(exact, x, POINTS);
    approximations[approximation].forward(close, x, POINTS);
    Worst worst = {0};
    for (size_t i = 0; i < POINTS; i++) {
        double error = fabs((double)close[i] - (double)exact[i]);
        if (error > worst.error) worst = (Worst){error, fabs((double)x[i])};
    }
    return worst;
}

static void demo_activations(void) {
    printf("Activations\n\n%6s %8s %8s %8s %8s %10s\n", "x", "relu", "gelu", "gelu_new", "silu", "mixed up");
    const float xs[] = {-3.0f, -2.0f, -1.0f, -0.75f, -0.5f, 0.0f, 0.5f, 1.0f, 2.0f, 3.0f};
    for (size_t i = 0; i < sizeof xs / sizeof *xs; i++) {
        float out[5];
        relu_forward(out, &xs[i], 1);
        gelu_erf_forward(out + 1, &xs[i], 1);
        gelu_tanh_forward(out + 2, &xs[i], 1);
        silu_forward(out + 3, &xs[i], 1);
        gelu_mixed_up_forward(out + 4, &xs[i], 1);
        printf("%6.2f %8.4f %8.4f %8.4f %8.4f %10.4f\n", (double)xs[i], (double)out[0], (double)out[1],
               (double)out[2], (double)out[3], (double)out[4]);
    }
    printf("\nLargest distance from the exact GELU, -6 <= x <= 6\n\n");
    for (size_t a = 0; a < APPROXIMATIONS; a++) {
        Worst w = worst_error(a);
        printf("  %-50s %.5f at |x| = %.2f\n", approximations[a].name, w.error, w.x);
    }
}

/* --- nine FFNs with the same number of weights --- */

static size_t d_model = 192, d_ff = 768;

//> equal_parameters
static size_t hidden_width(FfnKind kind) {
    return ffn_is_gated(kind) ? ffn_gated_width(d_ff) : d_ff;
}
//< equal_parameters

/* Its number of weights, and the root mean square of what it makes of N(0, 1) inputs. */
static void print_ffn(FfnKind kind, uint64_t seed) {
    enum { ROWS = 64 };
    Params params = {.mode = PARAMS_INFER};
    Random init = random_stream(seed, 0), data = random_stream(seed, 1);
    size_t width = hidden_width(kind);
    float std = 1.0f / sqrtf((float)d_model), std_down = 1.0f / sqrtf((float)width);
    Ffn f = ffn_create(&params, &init, kind, d_model, width, false, std, std_down, "mlp");

    Tape t = tape_create(seed);
    t.recording = false;
    Tensor *x = tape_output(&t, 2, (size_t[]){ROWS, d_model}, false);
    random_fill_normal(&data, x->data, ROWS * d_model, 1.0f);
    Tensor *y = ffn(&t, &f, x);
    double squares = 0;
    for (size_t r = 0; r < ROWS; r++)
        squares += (double)row_sum_squares(y->data + r * d_model, 0.0f, d_model);
    printf("  %-9s %8d %6zu %9zu %12.3f\n", ffn_name(kind), ffn_is_gated(kind) ? 3 : 2, width,
           params_count(&params), sqrt(squares / (double)(ROWS * d_model)));
    tape_free(&t);
    params_free(&params);
}

static void demo(const Settings *settings) {
    demo_activations();
    printf("\nFFNs, d_model = %zu, d_ff = %zu, no biases\n\n", d_model, d_ff);
    printf("  %-9s %8s %6s %9s %12s\n", "kind", "matrices", "width", "weights", "RMS of out");
    for (FfnKind k = 0; k < FFN_KINDS; k++) print_ffn(k, settings->seed);
    if (d_ff % 3) printf("\nd_ff is not a multiple of 3: the gated ones have a few weights less.\n");
}

/* --- experiment --- */

static void approximations_experiment(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "04-approximations",
                        "x,relu,silu,gelu,gelu_new,error_tanh,error_sigmoid,error_mixed_up,error_table");
    for (int i = -300; i <= 300; i++) {
        float x = (float)i / 50.0f, rectified, smooth, exact, out[APPROXIMATIONS];
        relu_forward(&rectified, &x, 1);
        silu_forward(&smooth, &x, 1);
        gelu_erf_forward(&exact, &x, 1);
        for (size_t a = 0; a < APPROXIMATIONS; a++) approximations[a].forward(&out[a], &x, 1);
#define ERROR(a) fabs((double)out[a] - (double)exact)
        csv_row(&csv, "%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", (double)x, (double)rectified,
                (double)smooth, (double)exact, (double)out[TANH], ERROR(TANH), ERROR(SIGMOID),
                ERROR(MIXED_UP), ERROR(TABLE));
#undef ERROR
    }
    csv_commit(&csv);

    Worst tanh_worst = worst_error(TANH), sigmoid_worst = worst_error(SIGMOID);
    Worst mixed_up = worst_error(MIXED_UP), table = worst_error(TABLE);
    claim(fabs(tanh_worst.error - 4.73e-4) < 5e-6, "the tanh form is off by up to %.3g, expected 4.73e-4",
          tanh_worst.error);
    claim(fabs(sigmoid_worst.error - 0.0203) < 2e-4,
          "x sigmoid(1.702 x) is off by up to %.3g, expected 0.0203", sigmoid_worst.error);
    claim(fabs(mixed_up.error - 0.127) < 1e-3, "tanh(1.702 x) is off by up to %.3g, expected 0.127",
          mixed_up.error);
    claim(table.error < tanh_worst.error,
          "the table of 257 values is off by up to %.3g, less than the tanh form", table.error);

    float lowest = 0, lowest_x = 0;
    for (int i = -3000; i <= 0; i++) {
        float x = (float)i / 1000.0f, y;
        gelu_erf_forward(&y, &x, 1);
        if (y < lowest) lowest = y, lowest_x = x;
    }
    claim(fabsf(lowest + 0.17f) < 1e-3f && fabsf(lowest_x + 0.752f) < 5e-3f,
          "GELU is not monotone: it falls to %.4f at x = %.3f", (double)lowest, (double)lowest_x);
}

int main(int argc, char **argv) {
    static const Option options[] = {{"d-model", OPTION_SIZE, &d_model, "width of the stream", 1, 4096},
                                     {"d-ff", OPTION_SIZE, &d_ff, "hidden width of the plain FFNs", 3, 16384},
                                     {0}};
    static const Experiment experiments[] = {
        {"approximations", "how far each form of GELU is from the exact one", approximations_experiment},
        {0}};
    return program_run(argc, argv,
                       &(Program){.name = "04-ffn-swiglu",
                                  .summary = "the feed-forward network: GELU, SiLU and the gated family",
                                  .example = "--d-model 768 --d-ff 3072",
                                  .options = options,
                                  .experiments = experiments,
                                  .demo = demo});
}

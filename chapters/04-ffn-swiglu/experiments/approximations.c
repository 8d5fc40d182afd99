/* How far each form of GELU is from the exact one. */
#include <math.h>

#include "00-tensors/relu.h"
#include "04-ffn-swiglu/experiments/experiments.h"
#include "04-ffn-swiglu/experiments/gelu_approximations.h"
#include "04-ffn-swiglu/gelu.h"
#include "04-ffn-swiglu/silu.h"
#include "claim.h"
#include "csv.h"

void experiment_approximations(const Settings *settings) {
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

    Worst tanh_worst = worst_error(&approximations[TANH]),
          sigmoid_worst = worst_error(&approximations[SIGMOID]);
    Worst mixed_up = worst_error(&approximations[MIXED_UP]), table = worst_error(&approximations[TABLE]);
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

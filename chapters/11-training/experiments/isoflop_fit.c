/* Parabolas through isoFLOP curves: see isoflop_fit.h. */
#include "11-training/experiments/isoflop_fit.h"

#include "math/fit.h"
#include "math/fmath.h"

//> isoflop_fit
double isoflop_best_size(const IsoFlop *f, size_t budget) {
    double x[ISOFLOP_SIZES];
    for (size_t i = 0; i < ISOFLOP_SIZES; i++) x[i] = log_double(f->parameters[i]);
    return exp_double(fit_parabola_lowest(x, f->loss[budget], ISOFLOP_SIZES));
}

double isoflop_exponent(const IsoFlop *f) {
    double best[ISOFLOP_BUDGETS];
    for (size_t b = 0; b < ISOFLOP_BUDGETS; b++) best[b] = isoflop_best_size(f, b);
    return fit_exponent(f->budget, best, ISOFLOP_BUDGETS);
}
//< isoflop_fit

/* A GPT-2 with one mistake in it, measured against what PyTorch computed with the right
 * one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/experiments/experiments.h"
#include "10-gpt2/experiments/wrong_models.h"
#include "program/claim.h"
#include "files/csv.h"
#include "base/error.h"
#include "math/fit.h"
#include "base/memory.h"

static const char directory[] = "tests/golden/tiny_gpt2",
                  golden_path[] = "tests/golden/tiny_gpt2/golden_f64.safetensors";

typedef struct {
    size_t batch, length;
    int *inputs, *targets;
    double *logits, loss;
} Reference;

static const SafeTensor *needed(const SafeTensors *file, const char *name) {
    const SafeTensor *x = safetensors_find(file, name);
    if (!x) die("file '%s': tensor '%s' is missing", file->path, name);
    return x;
}

/* Tokens [B, T + 1] split into inputs and targets, and what PyTorch made of them. */
static Reference read_reference(void) {
    SafeTensors file = safetensors_open(golden_path);
    const SafeTensor *tokens = needed(&file, "tokens"),
                     *logits = needed(&file, "logits");
    Reference r = {.batch = tokens->shape[0], .length = tokens->shape[1] - 1};
    size_t n = r.batch * r.length;
    int *all = checked_alloc(tokens->size, sizeof *all);
    r.inputs = checked_alloc(n, sizeof *r.inputs);
    r.targets = checked_alloc(n, sizeof *r.targets);
    r.logits = checked_alloc(logits->size, sizeof *r.logits);
    safetensors_to_int(all, tokens);
    safetensors_to_double(r.logits, logits);
    safetensors_to_double(&r.loss, needed(&file, "loss"));
    for (size_t i = 0; i < n; i++) {
        r.inputs[i] = all[i / r.length * (r.length + 1) + i % r.length];
        r.targets[i] = all[i / r.length * (r.length + 1) + i % r.length + 1];
    }
    free(all);
    safetensors_close(&file);
    return r;
}

/* The largest difference of a logit, and the loss. */
static double logit_error(const Gpt2 *model, const Mistake *mistake, const Reference *r,
                          double *loss) {
    int *positions = wrong_positions(mistake, r->batch, r->length);
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = r->inputs,
                       .batch = r->batch,
                       .length = r->length,
                       .positions = positions};
    const Tensor *logits = gpt2_logits(&t, model, &input);
    double worst = 0;
    for (size_t i = 0; i < tensor_size(logits); i++)
        worst = larger(worst, fabs((double)logits->data[i] - r->logits[i]));
    *loss = (double)gpt2_loss(&t, model, &input, r->targets)->data[0];
    tape_free(&t);
    free(positions);
    return worst;
}

void experiment_mistakes(const Settings *settings) {
    const double tolerance = 1e-4;
    Reference r = read_reference();
    Gpt2 *right = gpt2_load(directory, PARAMS_INFER);
    double errors[N_MISTAKES], smallest = INFINITY;
    int n_lower = 0;
    Csv csv =
        csv_begin(settings->out, "mistakes", "mistake,logit_error,loss,loss_change");
    printf("%-24s %13s %9s %9s\n", "mistake", "logits off by", "loss", "change");
    for (size_t i = 0; i < N_MISTAKES; i++) {
        double loss;
        Gpt2 *model = wrong_model(right, &mistakes[i]);
        errors[i] = logit_error(model, &mistakes[i], &r, &loss);
        printf("%-24s %13.1e %9.4f %+9.4f\n", mistakes[i].name, errors[i], loss,
               loss - r.loss);
        csv_row(&csv, "%s,%.3g,%.6g,%.3g", mistakes[i].name, errors[i], loss,
                loss - r.loss);
        if (i) {
            smallest = smaller(smallest, errors[i]);
            n_lower += loss < r.loss;
        }
        gpt2_free(model);
    }
    csv_commit(&csv);
    printf("%d of the %d mistakes make the loss smaller\n", n_lower, N_MISTAKES - 1);
    claim(errors[0] < tolerance, "without a mistake no logit is off by more than %.1e",
          errors[0]);
    claim(smallest > tolerance,
          "the smallest mistake moves a logit by %.1e: a tolerance of 1e-4 sees all %d",
          smallest, N_MISTAKES - 1);
    gpt2_free(right);
    free(r.inputs);
    free(r.targets);
    free(r.logits);
}

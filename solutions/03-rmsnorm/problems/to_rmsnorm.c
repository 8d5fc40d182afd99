/* LayerNorm's other steps, done once by the weights. Before you read on: make hint-03
 * P=to_rmsnorm */
#include "03-rmsnorm/problems/to_rmsnorm.h"

/* Takes the mean off each row of x [..., d]. The matrices that write to the stream
 * write rows of mean 0 from then on, so the stream's mean is 0 in every layer, and
 * RMSNorm has none to miss. */
static void center_rows(Tensor *x) {
    size_t rows = tensor_rows(x), dim = tensor_cols(x);
    for (size_t r = 0; r < rows; r++) {
        float *row = x->data + r * dim;
        double mean = 0;
        for (size_t i = 0; i < dim; i++) mean += (double)row[i] / (double)dim;
        for (size_t i = 0; i < dim; i++) row[i] -= (float)mean;
    }
}

/* A norm's bias [d] goes through the linear layer behind it like any input: (x + b) W +
 * c = x W + (b W +
 * c). */
static void fold_bias(Linear *behind, const Tensor *bias) {
    Tensor *w = behind->weight;
    size_t n_in = tensor_rows(w), n_out = tensor_cols(w);
    for (size_t j = 0; j < n_out; j++) {
        double sum = 0;
        for (size_t i = 0; i < n_in; i++)
            sum += (double)bias->data[i] * (double)w->data[i * n_out + j];
        behind->bias->data[j] += (float)sum;
    }
}

void to_rmsnorm(NormNetwork *to, const Norm *from) {
    center_rows(to->table);
    for (size_t l = 0; l < FOLDED_DEPTH; l++) {
        Mlp *m = &to->stack.mlps[l];
        center_rows(m->down.weight);
        center_rows(m->down.bias);
        fold_bias(&m->up, from[l].layer.bias);
    }
    fold_bias(&to->stack.head, from[FOLDED_DEPTH].layer.bias);
}

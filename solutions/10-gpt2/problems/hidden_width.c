/* The rank of many logits (Carlini et al. 2024). Before you read on: make hint-10
 * P=hidden_width */
#include "10-gpt2/problems/hidden_width.h"

#include <math.h>

enum { ROWS = WIDTH_QUESTIONS * BOX_CONTEXT };

static double product(const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < BOX_VOCAB; i++) sum += a[i] * b[i];
    return sum;
}

/* All logits are W h with one matrix W [BOX_VOCAB, d_model]: they lie in a space of
 * d_model dimensions, however large the vocabulary is. Gram-Schmidt counts them: what
 * is left of a new row, when all found directions are taken away, is noise or a new
 * direction. */
size_t hidden_width(BlackBox *box) {
    static float logits[ROWS * BOX_VOCAB];
    static double directions[BOX_VOCAB][BOX_VOCAB];
    int tokens[BOX_CONTEXT];
    size_t found = 0;
    for (size_t q = 0; q < WIDTH_QUESTIONS; q++) {
        for (size_t i = 0; i < BOX_CONTEXT; i++)
            tokens[i] = (int)((q * BOX_CONTEXT + i) * 37 % BOX_VOCAB);
        black_box_ask(box, tokens, 1, BOX_CONTEXT,
                      logits + q * BOX_CONTEXT * BOX_VOCAB);
    }
    for (size_t r = 0; r < ROWS && found < BOX_VOCAB; r++) {
        double *row = directions[found];
        for (size_t i = 0; i < BOX_VOCAB; i++)
            row[i] = (double)logits[r * BOX_VOCAB + i];
        double size = sqrt(product(row, row));
        for (int twice = 0; twice < 2; twice++) {
            for (size_t d = 0; d < found; d++) {
                double along = product(row, directions[d]);
                for (size_t i = 0; i < BOX_VOCAB; i++)
                    row[i] -= along * directions[d][i];
            }
        }
        double left = sqrt(product(row, row));
        if (left < 1e-3 * size) continue;
        for (size_t i = 0; i < BOX_VOCAB; i++) row[i] /= left;
        found++;
    }
    return found;
}

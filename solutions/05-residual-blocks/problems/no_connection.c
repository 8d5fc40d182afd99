/* Layers that begin as the identity. Before you read on: make hint-05
 * P=no_connection */
#include "05-residual-blocks/problems/no_connection.h"

#include <string.h>

/* relu(x) - relu(-x) is x. With as many hidden units for x as for -x a layer starts as
 * the identity, and so does its derivative: a residual connection, put into the weights
 * ("looks linear", Balduzzi et al. 2017). */
void no_connection(Stack *s) {
    size_t d = s->config.d_model, hidden = s->config.d_hidden;
    for (size_t l = 0; l < s->config.depth; l++) {
        Tensor *up = s->mlps[l].up.weight, *down = s->mlps[l].down.weight;
        memset(up->data, 0, d * hidden * sizeof(float));
        memset(down->data, 0, hidden * d * sizeof(float));
        for (size_t i = 0; i < d; i++) {
            up->data[i * hidden + i] = down->data[i * d + i] = 1;
            up->data[i * hidden + d + i] = down->data[(d + i) * d + i] = -1;
        }
    }
}

/* Open problem 05/spare_layers. The rules are in
 * chapters/05-residual-blocks/problems/spare_layers.h. */
#include "05-residual-blocks/problems/spare_layers.h"

#include "05-residual-blocks/dropout_layer.h"
#include "program/problem.h"

void spare_layers(Params *params, Stack *s) {
    PROBLEM_TODO("05/spare_layers");
}

/* The chapter's network, linear - ReLU - linear on points of the plane, and a training
 * run of it. */
#ifndef CHAPTER_00_SPIRAL_NET_H
#define CHAPTER_00_SPIRAL_NET_H

#include <stdbool.h>

#include "00-tensors/linear.h"
#include "00-tensors/optimizer.h"

enum { SPIRAL_CLASSES = 2 };

typedef struct {
    Linear fc1, fc2;     /* [2, hidden], [hidden, 2] */
    bool wrong_backward; /* ReLU's backward passes the gradient on everywhere, also
                            where it was 0 */
} SpiralNet;

typedef struct {
    float *x;     /* [n, 2] */
    int *classes; /* [n] */
    size_t n;
} SpiralData;

/* The same points for the same seed. */
SpiralData spiral_data_create(size_t n, uint64_t seed);
void spiral_data_free(SpiralData *data);

typedef struct {
    Params params;
    SpiralNet net;
    Tape tape;
    AdamW adamw;
} SpiralRun;

/* The same weights for the same seed. fc1 is drawn from N(0, 1), fc2 from N(0, 1 /
 * hidden). */
SpiralRun spiral_run_create(size_t hidden, double adamw_rate, uint64_t seed);
void spiral_run_free(SpiralRun *run);

/* The mean loss on the first n points, in nats, on the run's tape;
 * in *right (may be NULL) the share of points classified rightly. */
Tensor *spiral_loss(SpiralRun *run, const SpiralData *data, size_t n, double *right);

/* The same as a number, with its gradients, and the tape empty again;
 * and in *right the share of points classified rightly. */
float spiral_gradients(SpiralRun *run, const SpiralData *data, size_t n, double *right);

/* -ln softmax(logits)[target], written plainly in double. */
double plain_cross_entropy(const double *logits, size_t n_classes, size_t target);

/* The gradient that spiral_gradients should find, by central differences of the same
 * network written plainly in double: of all parameters one after the other, in the
 * order of run->params. */
void spiral_numeric_gradient(double *gradient, const SpiralRun *run,
                             const SpiralData *data, size_t n);

#endif

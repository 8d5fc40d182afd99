/* The network that this chapter trains: linear - norm - ReLU a few times,
 * then a linear layer, on two spirals. */
#ifndef CHAPTER_01_NORM_NET_H
#define CHAPTER_01_NORM_NET_H

#include "00-tensors/linear.h"
#include "01-layernorm-vs-batchnorm/batchnorm.h"
#include "01-layernorm-vs-batchnorm/layernorm_layer.h"

typedef enum { NET_PLAIN, NET_BATCHNORM, NET_LAYERNORM, NET_NORMS } NetNorm;
extern const char *const net_norm_names[NET_NORMS]; /* none, batch, layer */

enum { NET_WIDTH = 32, NET_MAX_DEPTH = 8, NET_CLASSES = 2, NET_LARGEST_BATCH = 256 };

typedef struct {
    NetNorm norm;
    size_t depth; /* hidden layers */
    float scale;  /* deviation of the hidden weights; 0: sqrt(2 / inputs), which suits
                     ReLU */
    float eps;    /* of the norm */
} NetConfig;

typedef struct {
    NetConfig config;
    Params params;
    Linear fc[NET_MAX_DEPTH], head;
    BatchNorm bn[NET_MAX_DEPTH];
    LayerNorm ln[NET_MAX_DEPTH];
    Layer norm[NET_MAX_DEPTH];
} Net;

/* The net must not move in memory: its norms are layers that point into it. */
void net_create(Net *net, NetConfig config, uint64_t seed);
void net_free(Net *net);

enum { SPIRAL_POINTS = 512 };

typedef struct {
    float x[2 * SPIRAL_POINTS];
    int classes[SPIRAL_POINTS];
} SpiralPoints;

/* The same points for the same seed. */
SpiralPoints spiral_points_draw(uint64_t seed);

/* Draws a batch, runs the net forward and backward,
 * leaves the gradients in net->params and returns the loss. */
double net_gradient(Net *net, Tape *t, const SpiralPoints *points, size_t batch,
                    Random *order);

/* The share of the points whose class the net names, in evaluation mode. */
double net_accuracy(const Net *net, Tape *t, const SpiralPoints *points);

/* The loss of all points in evaluation mode: BatchNorm takes its running statistics. */
double net_loss(const Net *net, Tape *t, const SpiralPoints *points);

#endif

/* The experiments of this chapter, one file each. */
#ifndef CHAPTER_05_EXPERIMENTS_H
#define CHAPTER_05_EXPERIMENTS_H

#include "program/program.h"

/* variance-by-depth.csv: |x_l|^2 / d behind each of 32 sublayers, by scheme. */
void experiment_variance_by_depth(const Settings *settings);

/* residual-init.csv: |x_N|^2 / d at the end of stacks of 6 to 96 sublayers,
 * with and without GPT-2's scaling. */
void experiment_residual_init(const Settings *settings);

/* With and without a residual connection, with and without a norm: two-by-two.csv,
 * -curves and -gradients. */
void experiment_two_by_two(const Settings *settings);

/* Steps to a loss against depth, by scheme: depths.csv. */
void experiment_depths(const Settings *settings);
void show_training(const Settings *settings, size_t layers, size_t steps, double rate);

/* The size that a branch must have at its start: branch-scale.csv. */
void experiment_branch_scale(const Settings *settings);

/* Scales that are measured, for branches that are independent of the stream and for
 * those that are not: measured-scales.csv, measured-training.csv; and the former
 * as a table. */
void experiment_measured_scales(const Settings *settings);
void show_measured_scales(uint64_t seed);

/* How far the output moves when all weights move a little: output-shift.csv. */
void experiment_output_shift(const Settings *settings);

/* Gradient clipping: clip-direction.csv, clip-descent.csv. */
void experiment_clipping(const Settings *settings);

/* A trained stack with a layer removed, or two swapped: lesion.csv. */
void experiment_lesion(const Settings *settings);

/* The alphas of ReZero during training, by layer: alphas.csv. */
void experiment_alphas(const Settings *settings);

/* A stack trained with dropout, used with it, without it, and without its scale:
 * dropout.csv. */
void experiment_dropout(const Settings *settings);

/* Singular values of the input-output Jacobian before training: jacobian.csv. */
void experiment_jacobian(const Settings *settings);

#endif

/* The experiments of chapter 15, each in a file of its name. */
#ifndef CHAPTER_15_EXPERIMENTS_H
#define CHAPTER_15_EXPERIMENTS_H

#include "program/program.h"

void experiment_sums(const Settings *settings);
void experiment_columns(const Settings *settings);
void experiment_ladder(const Settings *settings);
void experiment_products(const Settings *settings);
void experiment_roofline(const Settings *settings);
void experiment_kernels(const Settings *settings);
void experiment_step(const Settings *settings);
void experiment_inference(const Settings *settings);
void experiment_decoding(const Settings *settings);
void experiment_integers(const Settings *settings);
void experiment_bfloat(const Settings *settings);
void experiment_tips(const Settings *settings);
void experiment_alignment(const Settings *settings);
void experiment_sharing(const Settings *settings);

#endif

/* Open problem 17/train (***): training in one file, with the losses of chapter 11 */
#ifndef CHAPTER_17_TRAIN_H
#define CHAPTER_17_TRAIN_H

/* Your file is a program of at most 700 lines, C11, which includes nothing but the
 * standard library's headers:
 *
 *     cc -O3 -march=native train.c -lm -o train
 *     ./train DIR TOKENS
 *
 * DIR is a model as Hugging Face stores it, whose weights are those in front of the
 * first step: config.json and model.safetensors, as chapter 17's gpt2.h says of them.
 *
 * TOKENS are the batches, one after the other: for each step 8 windows of n_positions +
 * 1 ids, each an unsigned integer of 2 bytes, the low byte first. The first n_positions
 * ids of a window are the inputs, the last n_positions their targets. There are as many
 * steps as the file has batches.
 *
 * A step writes a line on standard output: its number, from 1 on, and the mean loss of
 * its batch in nats, as the weights before the step give it, with six digits behind the
 * point:
 *
 *     20 3.153112
 *
 * It trains as `make run-11` does: all gradients together are clipped to a norm of 1.
 * AdamW has beta1 0.9, beta2 0.95, eps 1e-8; a weight decay of 0.1 for matrices and
 * embeddings, none for gains and biases. The rate rises in 10 steps to 3e-3 and would
 * fall to 3e-4 at step 60, by half a cosine, however many steps there are. No dropout.
 *
 * The judge writes chapter 11's model and its first 20 batches to files, and compares
 * all 20 losses with those of chapter 11. They may differ by 1e-3; where they do by
 * more, it says a command that repeats the run. A run may take 100 seconds of a
 * processor. */
enum { TRAIN_LINES = 700, TRAIN_STEPS = 20, TRAIN_SECONDS = 100 };

/* Where the program is, and of what file it was made. */
extern const char train_program[], train_source[];

#endif

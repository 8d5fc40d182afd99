/* Quantizing into blocks of 256: see k_blocks.h. */
#include "14-compression/k_blocks.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/half.h"

/* scales that are tried, around the one that just covers the part */
enum { STEPS = 20 };

static float limited(float x, float least, float most) {
    return x < least ? least : x > most ? most : x;
}

/* A part of n numbers as scale * q - min with q from 0 to top and min >= 0. */
typedef struct {
    float scale, min;
} Affine;

/* The scale and min that fit best to x ~ scale * q - min for given q: least squares
 * with two unknowns. */
static bool fit_affine(Affine *fit, const float *x, const float *q, const float *weight,
                       int n) {
    double w = 0, wq = 0, wqq = 0, wx = 0, wqx = 0;
    for (int i = 0; i < n; i++) {
        double u = (double)weight[i], a = (double)q[i], b = (double)x[i];
        w += u;
        wq += u * a;
        wqq += u * a * a;
        wx += u * b;
        wqx += u * a * b;
    }
    if (!(wqq > 0)) return false;
    double determinant = w * wqq - wq * wq, min = -1, scale = 0;
    if (determinant > 0) { /* else all q are equal */
        scale = (w * wqx - wq * wx) / determinant;
        min = (wq * wqx - wqq * wx) / determinant;
    }
    if (min < 0) {
        min = 0;
        scale = wqx / wqq;
    }
    *fit = (Affine){(float)scale, (float)min};
    return scale > 0;
}

static double affine_error(Affine a, const float *x, const float *q,
                           const float *weight, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double off = (double)(a.scale * q[i] - a.min - x[i]);
        sum += (double)weight[i] * off * off;
    }
    return sum;
}

static Affine search_affine(const float *x, const float *weight, int n, float top) {
    float least = 0, most = x[0];
    for (int i = 0; i < n; i++) {
        least = fminf(least, x[i]);
        most = fmaxf(most, x[i]);
    }
    Affine best = {0, -least};
    if (most <= least) return best;
    double best_error = INFINITY;
    for (int step = 0; step <= STEPS; step++) {
        float inverse = (top + 0.1f * (float)(step - STEPS / 2)) / (most - least),
              q[BLOCK];
        for (int i = 0; i < n; i++)
            q[i] = limited(rintf((x[i] - least) * inverse), 0, top);
        Affine fit;
        if (!fit_affine(&fit, x, q, weight, n)) continue;
        double error = affine_error(fit, x, q, weight, n);
        if (error < best_error) {
            best_error = error;
            best = fit;
        }
    }
    return best;
}

/* The inverse of q4_k_factors: s and m of part p, 6 bits each. */
static void put_factors(uint8_t factors[12], int p, int s, int m) {
    if (p < 4) {
        factors[p] |= (uint8_t)s;
        factors[p + 4] |= (uint8_t)m;
    } else {
        factors[p + 4] |= (uint8_t)((s & 15) | (m & 15) << 4);
        factors[p - 4] |= (uint8_t)(s >> 4 << 6);
        factors[p] |= (uint8_t)(m >> 4 << 6);
    }
}

void q4_k_encode(BlockQ4_K *block, const float x[SUPER_BLOCK]) {
    enum { PARTS = SUPER_BLOCK / BLOCK };
    Affine parts[PARTS];
    float largest = 0, largest_min = 0;
    for (int p = 0; p < PARTS; p++) {
        const float *part = x + p * BLOCK;
        float weight[BLOCK], squares = 0;
        for (int i = 0; i < BLOCK; i++) squares += part[i] * part[i];
        for (int i = 0; i < BLOCK; i++)
            weight[i] = sqrtf(squares / BLOCK) + fabsf(part[i]);
        parts[p] = search_affine(part, weight, BLOCK, 15);
        largest = fmaxf(largest, parts[p].scale);
        largest_min = fmaxf(largest_min, parts[p].min);
    }
    memset(block, 0, sizeof *block);
    block->scale = float_to_half(largest / 63);
    block->min = float_to_half(largest_min / 63);
    float scale = half_to_float(block->scale), min = half_to_float(block->min);
    for (int p = 0; p < PARTS; p++) {
        int s = scale > 0 ? (int)limited(rintf(parts[p].scale / scale), 0, 63) : 0;
        int m = min > 0 ? (int)limited(rintf(parts[p].min / min), 0, 63) : 0;
        put_factors(block->factors, p, s, m);
        float step = scale * (float)s, offset = min * (float)m;
        for (int i = 0; i < BLOCK; i++) {
            float q = step > 0
                          ? limited(rintf((x[p * BLOCK + i] + offset) / step), 0, 15)
                          : 0;
            block->q[p / 2 * BLOCK + i] |= (uint8_t)((int)q << (p % 2 ? 4 : 0));
        }
    }
}

/* The scale for x ~ scale * q with q from -32 to 31; squares weigh the errors. */
static float search_scale(const float *x, int n) {
    float most = 0;
    for (int i = 0; i < n; i++) {
        if (fabsf(x[i]) > fabsf(most)) most = x[i];
    }
    if (most == 0) return 0;
    double best = 0, best_gain = -1;
    for (int step = 0; step <= STEPS; step++) {
        float inverse = -(32 + 0.1f * (float)(step - STEPS / 2)) / most;
        double xq = 0, qq = 0;
        for (int i = 0; i < n; i++) {
            double q = (double)limited(rintf(x[i] * inverse), -32, 31),
                   w = (double)(x[i] * x[i]);
            xq += w * (double)x[i] * q;
            qq += w * q * q;
        }
        if (qq > 0 && xq * xq / qq > best_gain) {
            best_gain = xq * xq / qq;
            best = xq / qq;
        }
    }
    return (float)best;
}

void q6_k_encode(BlockQ6_K *block, const float x[SUPER_BLOCK]) {
    enum { PART = 16, PARTS = SUPER_BLOCK / PART };
    float scales[PARTS], most = 0;
    for (int p = 0; p < PARTS; p++) {
        scales[p] = search_scale(x + p * PART, PART);
        if (fabsf(scales[p]) > fabsf(most)) most = scales[p];
    }
    memset(block, 0, sizeof *block);
    block->scale = float_to_half(most / -128);
    float scale = half_to_float(block->scale);
    for (int p = 0; p < PARTS; p++)
        block->factors[p] =
            scale != 0 ? (int8_t)limited(rintf(scales[p] / scale), -128, 127) : 0;
    for (int i = 0; i < SUPER_BLOCK; i++) {
        float step = scale * (float)block->factors[i / PART];
        int q = 32 + (step != 0 ? (int)limited(rintf(x[i] / step), -32, 31) : 0);
        int half = i / 128, k = i % 128; /* the half of the block, the place in it */
        block->low[64 * half + k % 64] |= (uint8_t)((q & 15) << k / 64 * 4);
        block->high[32 * half + k % 32] |= (uint8_t)(q >> 4 << k / 32 * 2);
    }
}

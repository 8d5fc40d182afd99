/* The layout of a panel: see panel_layout.h. */
#include "weights/panel_layout.h"

#include <string.h>

#include "base/size.h"
#include "kernels/threads.h"
#include "math/half.h"
#include "weights/weight_blocks.h"

size_t panels_bytes(const Weight *w) {
    const PanelType *t = panel_type(w);
    return size_mul(size_ceil_div(w->rows, t->width), panel_bytes(t, w));
}

size_t panel_stretch(const Weight *w) {
    enum { STRETCHES = 4, MOST = 192 };
    size_t width = panel_type(w)->width,
           rows = size_min(w->rows / (STRETCHES * threads_available()), MOST) / width *
                  width;
    return rows > 0 ? rows : width;
}

/* --- one vector --- */

/* Panels that a thread reads in turns: memory answers two places faster than one. On a
 * Zen 3 the products of a token take one thread 0.8 of the time so; two threads ask for
 * two places anyway. */
enum { AT_ONCE = 2 };

/* The same panels in half as many steps, unless some threads would wait for others. */
static bool are_in_pairs(size_t panels) {
    size_t threads = threads_available(), pairs = (panels + 1) / 2,
           most = size_ceil_div(panels, threads);
    return 2 * size_ceil_div(pairs, threads) <= most + most / 16;
}

/* Panel i, and where there is one, that `apart` behind it. */
static void dot_panels(const PanelProduct *p, size_t i, size_t apart) {
    const PanelType *t = panel_type(p->w);
    const size_t rows = p->w->rows;
    PanelSums sums[AT_ONCE] = {{0}};
    const char *panels[AT_ONCE] = {NULL};
    size_t bytes[AT_ONCE], n = 0;
    for (size_t row = i * t->width; n < AT_ONCE && row < rows;
         row += apart * t->width) {
        panels[n] = panel_at(p->w, row);
        bytes[n] = size_min(t->width, rows - row) * sizeof(float);
        if (p->bias) memcpy(sums[n], p->bias + row, bytes[n]);
        n++;
    }
    t->dot(sums, p->x, panels, n, p->w->cols / t->piece);
    for (size_t k = 0; k < n; k++)
        memcpy(p->out + (i + k * apart) * t->width, sums[k], bytes[k]);
}

/* A thread takes its share of the remaining panels, so that it reads long stretches and
 * none waits for another in the end. */
void panels_dot(const PanelProduct *p) {
    const size_t rows = p->w->rows, width = panel_type(p->w)->width,
                 n = size_ceil_div(rows, width),
                 steps = are_in_pairs(n) ? (n + 1) / 2 : n;
#pragma omp parallel for schedule(guided) if (rows * p->w->cols > PANELS_SERIAL)
    for (size_t i = 0; i < steps; i++) dot_panels(p, i, steps);
}

/* --- one row, as any kind of weight can be read --- */

void panel_read_f32(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    const char *from = panel_at(w, row) + row % PANEL * sizeof *out;
    for (size_t i = 0; i < n; i++)
        memcpy(out + i, from + (first + i) * PANEL * sizeof *out, sizeof *out);
}

ALWAYS uint16_t number_at(const Weight *w, size_t row, size_t column) {
    uint16_t number;
    memcpy(&number, panel_at(w, row) + (column * PANEL + row % PANEL) * sizeof number,
           sizeof number);
    return number;
}
void panel_read_f16(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = half_to_float(number_at(w, row, first + i));
}
void panel_read_bf16(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = bfloat_to_float(number_at(w, row, first + i));
}

ALWAYS void read_quants(float *out, const Weight *w, size_t row, size_t first, size_t n,
                        const int bits, const bool has_min) {
    const size_t per_word = 32 / (size_t)bits, halves = has_min ? 2 : 1;
    for (size_t i = 0; i < n; i++) {
        const char *block =
            panel_at(w, row) + (first + i) / BLOCK * panel_type(w)->bytes;
        size_t column = (first + i) % BLOCK, at = column / per_word * WIDE + row % WIDE;
        uint16_t scale, least = 0;
        uint32_t word;
        memcpy(&scale, block + row % WIDE * sizeof scale, sizeof scale);
        if (has_min)
            memcpy(&least, block + (WIDE + row % WIDE) * sizeof scale, sizeof least);
        memcpy(&word, block + halves * WIDE * sizeof scale + at * sizeof word,
               sizeof word);
        int q = (int)(word >> column % per_word * (size_t)bits & ((1u << bits) - 1));
        int middle = has_min ? 0 : 1 << (bits - 1);
        out[i] = half_to_float(scale) * (float)(q - middle);
        if (has_min) out[i] += half_to_float(least);
    }
}
void panel_read_q8_0(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    read_quants(out, w, row, first, n, 8, false);
}
void panel_read_q4_0(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    read_quants(out, w, row, first, n, 4, false);
}
void panel_read_q4_1(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    read_quants(out, w, row, first, n, 4, true);
}

/* --- filling panels --- */

ALWAYS void pack_plain(char *panel, const Weight *from, size_t first, size_t rows,
                       const size_t number) {
    const char *data = from->data;
    if (from->transposed) { /* stored with the rows side by side, as in a panel */
        for (size_t k = 0; k < from->cols; k++)
            memcpy(panel + k * PANEL * number, data + (k * from->rows + first) * number,
                   rows * number);
        return;
    }
    enum { STRIP = 32 }; /* columns that the first cache holds for all rows */
    for (size_t k = 0; k < from->cols; k += STRIP) {
        for (size_t r = 0; r < rows; r++) {
            const char *row = data + (first + r) * from->cols * number;
            for (size_t i = k; i < size_min(k + STRIP, from->cols); i++)
                memcpy(panel + (i * PANEL + r) * number, row + i * number, number);
        }
    }
}

void panel_pack_32(char *panel, const Weight *from, size_t first, size_t rows) {
    pack_plain(panel, from, first, rows, sizeof(float));
}
void panel_pack_16(char *panel, const Weight *from, size_t first, size_t rows) {
    pack_plain(panel, from, first, rows, sizeof(uint16_t));
}

/* The words of a block: from q + 128, and from halves that stand 16 columns apart. */
static void words_q8_0(uint32_t words[8], const char *quants) {
    memcpy(words, quants, BLOCK);
    for (int w = 0; w < 8; w++) words[w] ^= 0x80808080u;
}
static void words_q4(uint32_t words[4], const char *quants) {
    for (int w = 0; w < 4; w++) {
        const char *from = quants + w % 2 * 8;
        words[w] = 0;
        for (int j = 0; j < 8; j++) {
            uint32_t q = (uint32_t)((uint8_t)from[j] >> w / 2 * 4 & 15);
            words[w] |= q << 4 * j;
        }
    }
}

ALWAYS void pack_quants(char *panel, const Weight *from, size_t first, size_t rows,
                        size_t n_words, size_t n_halves,
                        void make_words(uint32_t *, const char *)) {
    const size_t half = sizeof(uint16_t),
                 in = n_halves * half + n_words * sizeof(uint32_t),
                 blocks = from->cols / BLOCK;
    for (size_t r = 0; r < rows; r++) {
        const char *block = (const char *)from->data + (first + r) * blocks * in;
        for (size_t b = 0; b < blocks; b++, block += in) {
            char *to = panel + b * WIDE * in;
            uint32_t words[8];
            make_words(words, block + n_halves * half);
            for (size_t i = 0; i < n_halves; i++)
                memcpy(to + (i * WIDE + r) * half, block + i * half, half);
            for (size_t w = 0; w < n_words; w++)
                memcpy(to + n_halves * WIDE * half + (w * WIDE + r) * sizeof *words,
                       words + w, sizeof *words);
        }
    }
}

void panel_pack_q8_0(char *panel, const Weight *from, size_t first, size_t rows) {
    pack_quants(panel, from, first, rows, 8, 1, words_q8_0);
}
void panel_pack_q4_0(char *panel, const Weight *from, size_t first, size_t rows) {
    pack_quants(panel, from, first, rows, 4, 1, words_q4);
}
void panel_pack_q4_1(char *panel, const Weight *from, size_t first, size_t rows) {
    pack_quants(panel, from, first, rows, 4, 2, words_q4);
}

/* Products with packed weights: see weight_packed.h. Compiled with matmul.c's flags.
 *
 * One vector is multiplied with numbers as they are read. For more, all but floats
 * become floats a piece at a time, in the first cache, and then a tile of matmul.c adds
 * them up. */
#include "weights/weight_packed.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files/mapped_file.h"
#include "kernels/matmul.h"
#include "kernels/matmul_tile.h"
#include "base/memory.h"
#include "base/size.h"
#include "weights/panel_integers.h"
#include "weights/panel_layout.h"
#include "kernels/simd.h"
#include "kernels/threads.h"
#include "weights/weight_blocks.h"

enum {
    SHALLOW = 64, /* columns that become floats at a time, for few vectors: the first
                     cache holds them, */
    DEEP = 256,   /* and for many: the second does, */
    BLOCK_ROWS = 192,       /* for so many rows of the weight */
    GROUP = 21 * TILE_ROWS, /* and so many vectors */
    AT_ONCE = 8 << 20,      /* bytes of a weight copied before a file gets pages back */
};

typedef uint16_t Halves __attribute__((vector_size(SIMD_WIDTH * sizeof(uint16_t))));

/* --- numbers become floats --- */

ALWAYS Floats load_f32(const char *from) {
    return floats_load((const float *)(const void *)from);
}
ALWAYS Floats load_bf16(const char *from) {
    Halves packed;
    memcpy(&packed, from, sizeof packed);
    return (Floats)(__builtin_convertvector(packed, Words) << 16);
}

typedef Floats Load(const char *from);

/* n columns of a panel whose numbers have `size` bytes each, as floats. */
ALWAYS void expand_numbers(float *out, const char *pieces, size_t n, Load *load,
                           size_t size) {
    for (size_t i = 0; i < n * PANEL; i += SIMD_WIDTH) {
        panel_prefetch(pieces + i * size);
        floats_store(out + i, load(pieces + i * size));
    }
}

/* The same times one vector, added to the sums. */
ALWAYS void dot_numbers(float *sums, const float *x, const char *pieces, size_t n,
                        Load *load, size_t size) {
    Floats all[TILE_VECTORS];
    UNROLL
    for (size_t v = 0; v < TILE_VECTORS; v++)
        all[v] = floats_load(sums + v * SIMD_WIDTH);
    for (size_t k = 0; k < n; k++, pieces += PANEL * size) {
        UNROLL
        for (size_t v = 0; v < TILE_VECTORS; v++) {
            const char *at = pieces + v * SIMD_WIDTH * size;
            panel_prefetch(at);
            all[v] = multiply_add(x[k], load(at), all[v]);
        }
    }
    UNROLL
    for (size_t v = 0; v < TILE_VECTORS; v++)
        floats_store(sums + v * SIMD_WIDTH, all[v]);
}

static void expand_f16(float *out, const char *pieces, size_t n) {
    expand_numbers(out, pieces, n, halves_to_floats, sizeof(uint16_t));
}
static void expand_bf16(float *out, const char *pieces, size_t n) {
    expand_numbers(out, pieces, n, load_bf16, sizeof(uint16_t));
}
ALWAYS void pieces_f32(float *sums, const void *x, const char *pieces, size_t n) {
    dot_numbers(sums, x, pieces, n, load_f32, sizeof(float));
}
ALWAYS void pieces_f16(float *sums, const void *x, const char *pieces, size_t n) {
    dot_numbers(sums, x, pieces, n, halves_to_floats, sizeof(uint16_t));
}
ALWAYS void pieces_bf16(float *sums, const void *x, const char *pieces, size_t n) {
    dot_numbers(sums, x, pieces, n, load_bf16, sizeof(uint16_t));
}
PANEL_DOT(dot_f32, pieces_f32, sizeof(float), PANEL * sizeof(float))
PANEL_DOT(dot_f16, pieces_f16, sizeof(float), PANEL * sizeof(uint16_t))
PANEL_DOT(dot_bf16, pieces_bf16, sizeof(float), PANEL * sizeof(uint16_t))

/* The bit of a float's fraction at which column j of a word of whole numbers stands,
 * once the word was moved to the left by so many bits. With any place from bit 11 up,
 * the float is scale * q without rounding: see `column`. Two columns of four bits share
 * a move. */
ALWAYS int place_of(int bits, int j) {
    return bits == 4 ? 12 + j % 2 * 4 : 15;
}
ALWAYS int move_of(int bits, int j) {
    return place_of(bits, j) - bits * j;
}

/* scale * (q - middle) of a q at `place` in each lane. The bits of q in the fraction
 * of 1.0 make the float 1 + q / 2^(23 - place). So scale * q is `big` = 2^(23 - place)
 * scale times that, less `big`. A scale has 11 bits, so nothing is rounded, and it is
 * shorter than a conversion. */
ALWAYS Floats column(Words moved, int bits, int place, Floats big, Floats offset) {
    const uint32_t one = 127u << 23, mask = ((1u << bits) - 1) << place;
    return big * (Floats)((moved & mask) | one) - offset;
}

/* The columns of n blocks of a panel: as floats in out [n * BLOCK, WIDE], or, if `dot`,
 * times x and added to the sums in out [WIDE], which stay in registers meanwhile. */
ALWAYS void take_quants(const bool dot, float *out, const float *x, const char *pieces,
                        size_t n, const int bits, const bool has_min) {
    enum { VECTORS = WIDE / SIMD_WIDTH };
    const int per_word = 32 / bits, middle = has_min ? 0 : 1 << (bits - 1);
    const size_t halves = WIDE * sizeof(uint16_t) * (has_min ? 2 : 1);
    const size_t bytes = halves + WIDE * BLOCK / (size_t)per_word * sizeof(uint32_t);
    Floats sums[VECTORS];
    UNROLL
    for (size_t v = 0; v < VECTORS; v++)
        sums[v] = dot ? floats_load(out + v * SIMD_WIDTH) : (Floats){0};
    for (size_t b = 0; b < n; b++, pieces += bytes) {
        const char *words = pieces + halves;
        Floats big[VECTORS][2], offset[VECTORS][2]; /* for both places */
        Floats least[VECTORS];                      /* Q4_1's */
        UNROLL
        for (size_t v = 0; v < VECTORS; v++) {
            Floats scale = halves_to_floats(pieces + v * SIMD_WIDTH * sizeof(uint16_t));
            if (has_min)
                least[v] = halves_to_floats(pieces +
                                            (WIDE + v * SIMD_WIDTH) * sizeof(uint16_t));
            UNROLL
            for (int i = 0; i < 2; i++) {
                big[v][i] = scale * (float)(1 << (23 - place_of(bits, i)));
                offset[v][i] = big[v][i] + scale * (float)middle;
            }
        }
        for (int w = 0; w < bits; w++, words += WIDE * sizeof(uint32_t)) {
            UNROLL
            for (size_t v = 0; v < VECTORS; v++) {
                Words word;
                memcpy(&word, words + v * SIMD_WIDTH * sizeof(uint32_t), sizeof word);
                panel_prefetch(words + v * SIMD_WIDTH * sizeof(uint32_t));
                UNROLL
                for (int j = 0; j < per_word; j++) {
                    const int move = move_of(bits, j);
                    Words moved = move > 0 ? word << move : word >> -move;
                    Floats weight = column(moved, bits, place_of(bits, j),
                                           big[v][j % 2], offset[v][j % 2]);
                    if (has_min) weight = weight + least[v];
                    size_t k = b * BLOCK + (size_t)(w * per_word + j);
                    if (dot)
                        sums[v] = multiply_add(x[k], weight, sums[v]);
                    else
                        floats_store(out + k * WIDE + v * SIMD_WIDTH, weight);
                }
            }
        }
    }
    UNROLL
    for (size_t v = 0; v < VECTORS && dot; v++)
        floats_store(out + v * SIMD_WIDTH, sums[v]);
}

static void expand_q8_0(float *out, const char *pieces, size_t n) {
    take_quants(false, out, NULL, pieces, n, 8, false);
}
static void expand_q4_0(float *out, const char *pieces, size_t n) {
    take_quants(false, out, NULL, pieces, n, 4, false);
}
static void expand_q4_1(float *out, const char *pieces, size_t n) {
    take_quants(false, out, NULL, pieces, n, 4, true);
}
ALWAYS void pieces_q8_0(float *sums, const void *x, const char *pieces, size_t n) {
    take_quants(true, sums, x, pieces, n, 8, false);
}
ALWAYS void pieces_q4_0(float *sums, const void *x, const char *pieces, size_t n) {
    take_quants(true, sums, x, pieces, n, 4, false);
}
ALWAYS void pieces_q4_1(float *sums, const void *x, const char *pieces, size_t n) {
    take_quants(true, sums, x, pieces, n, 4, true);
}
PANEL_DOT(dot_q8_0, pieces_q8_0, BLOCK * sizeof(float), WIDE * sizeof(BlockQ8_0))
PANEL_DOT(dot_q4_0, pieces_q4_0, BLOCK * sizeof(float), WIDE * sizeof(BlockQ4_0))
PANEL_DOT(dot_q4_1, pieces_q4_1, BLOCK * sizeof(float), WIDE * sizeof(BlockQ4_1))

/* --- products --- */

/* Memory for the floats of a thread's piece of a panel, its own and kept. */
static float *thread_scratch(void) {
    static _Thread_local float *memory;
    if (!memory) memory = checked_aligned_alloc((size_t)WIDE * DEEP, sizeof *memory);
    return memory;
}

/* Asks memory for part i of n of so many bytes. */
static void fetch_part(const char *from, size_t bytes, size_t i, size_t n) {
    const size_t line = 64, part = (bytes / n + line) / line * line;
    for (size_t at = i * part; at < size_min(bytes, (i + 1) * part); at += line)
        __builtin_prefetch(from + at, 0, 2);
}

/* A piece of a panel, `depth` columns from k on, times n vectors. first: the row of the
 * weight that is the panel's first. */
static void multiply_piece(float *out, const float *x, const Weight *w,
                           const float *bias, size_t n, size_t first, size_t k,
                           size_t depth) {
    const PanelType *t = panel_type(w);
    size_t rows = size_min(t->width, w->rows - first),
           columns = size_min(depth, w->cols - k);
    const char *pieces = panel_at(w, first) + k / t->piece * t->bytes;
    const float *floats =
        t->expand ? thread_scratch() : (const float *)(const void *)pieces;
    if (t->expand) t->expand(thread_scratch(), pieces, columns / t->piece);
    /* Many vectors leave the time to fetch the next panel's piece meanwhile. */
    const char *next =
        n > TILE_ROWS && first + t->width < w->rows ? pieces + panel_bytes(t, w) : NULL;
    const size_t bytes = columns / t->piece * t->bytes,
                 tiles = size_ceil_div(n, TILE_ROWS);
    for (size_t j = 0; j < rows; j += TILE_COLUMNS) {
        float *c = out + first + j;
        const float *start = bias ? bias + first + j : NULL;
        for (size_t i = 0; i < n; i += TILE_ROWS, c += TILE_ROWS * w->rows) {
            if (next && j == 0) fetch_part(next, bytes, i / TILE_ROWS, tiles);
            if (i + TILE_ROWS < n && k > 0)
                tile_fetch(c + TILE_ROWS * w->rows, w->rows, n - i - TILE_ROWS,
                           TILE_COLUMNS);
            Tile tile = {.c = c,
                         .c_row = w->rows,
                         .from = k > 0 ? c : start,
                         .from_row = k > 0 ? w->rows : 0,
                         .a = {x + i * w->cols + k, w->cols, 1},
                         .b = floats + j,
                         .b_row = t->width,
                         .depth = columns};
            tile_run(size_min(TILE_ROWS, n - i), size_min(TILE_COLUMNS, rows - j),
                     &tile);
        }
    }
}

/* The panels of rows first .. end, times n vectors: piece by piece, so that the columns
 * of the vectors stay in a cache for all panels. */
static void multiply_block(float *out, const float *x, const Weight *w,
                           const float *bias, size_t n, size_t first, size_t end,
                           size_t depth) {
    for (size_t k = 0; k < w->cols; k += depth) {
        for (size_t row = first; row < end; row += panel_type(w)->width)
            multiply_piece(out, x, w, bias, n, row, k, depth);
    }
}

/* Many vectors share a block of panels, and those of floats are taken a group of
 * vectors at a time; other types become floats once. */
static void multiply_panels(float *out, const float *x, const Weight *w,
                            const float *bias, size_t n) {
    const PanelType *t = panel_type(w);
    const bool many = n > TILE_ROWS;
    const size_t depth = many ? DEEP : t->expand ? SHALLOW : w->cols;
    const size_t block = many ? BLOCK_ROWS / t->width * t->width : panel_stretch(w);
    const size_t group = many && !t->expand ? GROUP : n;
    if (w->cols == 0) matmul_bias(out, x, NULL, bias, n, w->rows, 0);
    if (n == 1) {
        panels_dot(&(PanelProduct){out, w, x, bias});
        return;
    }
#pragma omp parallel for collapse(2)                                                   \
    schedule(dynamic) if (n * w->rows * w->cols > PANELS_SERIAL)
    for (size_t first = 0; first < w->rows; first += block) {
        for (size_t i = 0; i < n; i += group) {
            multiply_block(out + i * w->rows, x + i * w->cols, w, bias,
                           size_min(group, n - i), first,
                           size_min(first + block, w->rows), depth);
        }
    }
}

/* --- the kinds --- */

#define PLAIN(text, name, bits, expand, dot)                                           \
    {                                                                                  \
        &weight_##name, {                                                              \
            {                                                                          \
                text, panels_bytes,    panel_read_##name, 1,                           \
                NULL, multiply_panels, SIZE_MAX},                                      \
                PANEL, 1, PANEL *bits / 8, panel_pack_##bits, expand, dot              \
        }                                                                              \
    }
#define QUANTS(text, name, Block)                                                      \
    {                                                                                  \
        &weight_##name, {                                                              \
            {text, panels_bytes,    panel_read_##name, BLOCK,                          \
             NULL, multiply_panels, SIZE_MAX},                                         \
                WIDE, BLOCK, WIDE * sizeof(Block), panel_pack_##name, expand_##name,   \
                dot_##name                                                             \
        }                                                                              \
    }

static const struct {
    const WeightType *from;
    PanelType to;
} kinds[] = {
    PLAIN("F32 in panels", f32, 32, NULL, dot_f32),
    PLAIN("F16 in panels", f16, 16, expand_f16, dot_f16),
    PLAIN("BF16 in panels", bf16, 16, expand_bf16, dot_bf16),
    QUANTS("Q8_0 in panels", q8_0, BlockQ8_0),
    QUANTS("Q4_0 in panels", q4_0, BlockQ4_0),
    QUANTS("Q4_1 in panels", q4_1, BlockQ4_1),
};

/* Rows first .. end of w, into the panels. */
static void fill_panels(const Weight *panels, const Weight *w, size_t first,
                        size_t end) {
    const PanelType *t = panel_type(panels);
#pragma omp parallel for schedule(dynamic)
    for (size_t r = first; r < end; r += t->width) {
        char *panel = (char *)(uintptr_t)panel_at(panels, r);
        size_t rows = size_min(t->width, end - r);
        if (rows < t->width) memset(panel, 0, panel_bytes(t, panels));
        t->pack(panel, w, r, rows);
    }
}

Weight weight_pack(const Weight *w, Arena *arena) {
    const PanelType *t = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].from == w->type) t = &kinds[i].to;
    }
    if (!t) t = integer_panels(w->type);
    if (!t || (t->piece > 1 && w->transposed)) return (Weight){0};
    Weight made = {.type = &t->type, .rows = w->rows, .cols = w->cols};
    size_t bytes = panels_bytes(&made);
    made.data = arena ? arena_alloc(arena, bytes, 1) : checked_aligned_alloc(bytes, 1);
    const size_t row = weight_bytes(w) / (w->rows ? w->rows : 1),
                 rows = w->transposed ? w->rows
                                      : t->width * (1 + AT_ONCE / (t->width * row + 1));
    for (size_t first = 0; first < w->rows; first += rows) {
        size_t end = size_min(first + rows, w->rows);
        fill_panels(&made, w, first, end);
        if (!w->transposed)
            file_map_release((const char *)w->data + first * row, (end - first) * row);
    }
    if (w->transposed) file_map_release(w->data, weight_bytes(w));
    return made;
}

void weight_packed_free(Weight *w) {
    free((void *)(uintptr_t)w->data);
    *w = (Weight){0};
}

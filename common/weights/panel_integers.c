/* Products of blocks in whole numbers: see panel_integers.h. Compiled with matmul.c's
 * flags.
 *
 * A lane is a row of the weight. Its words have four or eight columns each, and the
 * vector's four numbers of 8 bits that belong to them are the same for all lanes. */
#include "weights/panel_integers.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#include "base/memory.h"
#include "base/size.h"
#include "kernels/matmul_tile.h"
#include "kernels/threads.h"
#include "math/half.h"
#include "weights/weight_blocks.h"

typedef int32_t Ints __attribute__((vector_size(SIMD_WIDTH * sizeof(int32_t))));

ALWAYS Words words_all(uint32_t x) {
    return x - (Words){0};
}

/* --- four products of bytes, added up in each lane --- */

/* sums + the products of a word's bytes, without a sign, and of x's, with one. As
 * instructions have it: */
#if defined(__AVX512VNNI__) && SIMD_WIDTH == 16
ALWAYS Ints dot_bytes(Ints sums, Words bytes, Words x) {
    return (Ints)_mm512_dpbusd_epi32((__m512i)sums, (__m512i)bytes, (__m512i)x);
}
#elif defined(__AVXVNNI__) && SIMD_WIDTH == 8
ALWAYS Ints dot_bytes(Ints sums, Words bytes, Words x) {
    return (Ints)_mm256_dpbusd_avx_epi32((__m256i)sums, (__m256i)bytes, (__m256i)x);
}

/* Products of 16 bits, of which neighbours are added: even bytes, and odd ones. */
#elif (defined(__AVX512BW__) && SIMD_WIDTH == 16) ||                                   \
    (defined(__AVX2__) && SIMD_WIDTH == 8) || (defined(__SSE2__) && SIMD_WIDTH == 4)
#if SIMD_WIDTH == 16
#define MULTIPLY_PAIRS(a, b) (Ints) _mm512_madd_epi16((__m512i)(a), (__m512i)(b))
#define MULTIPLY_BYTES(a, b) (Shorts) _mm512_maddubs_epi16((__m512i)(a), (__m512i)(b))
#elif SIMD_WIDTH == 8
#define MULTIPLY_PAIRS(a, b) (Ints) _mm256_madd_epi16((__m256i)(a), (__m256i)(b))
#define MULTIPLY_BYTES(a, b) (Shorts) _mm256_maddubs_epi16((__m256i)(a), (__m256i)(b))
#else
#define MULTIPLY_PAIRS(a, b) (Ints) _mm_madd_epi16((__m128i)(a), (__m128i)(b))
#ifdef __SSSE3__
#define MULTIPLY_BYTES(a, b) (Shorts) _mm_maddubs_epi16((__m128i)(a), (__m128i)(b))
#endif
#endif
typedef int16_t Shorts __attribute__((vector_size(SIMD_WIDTH * sizeof(int32_t))));
ALWAYS Ints dot_bytes(Ints sums, Words bytes, Words x) {
    const uint32_t even = 0x00ff00ff;
    sums += MULTIPLY_PAIRS(bytes & even, (Shorts)(x << 8) >> 8);
    return sums + MULTIPLY_PAIRS(bytes >> 8 & even, (Shorts)x >> 8);
}

/* Both with a sign: 128 is taken from each byte, and added 128 times the sum of x. */
#elif defined(__ARM_FEATURE_DOTPROD)
ALWAYS Ints dot_bytes(Ints sums, Words bytes, Words x) {
    const Words middle = words_all(0x80808080u);
    const int32x4_t offset = vdotq_s32((int32x4_t){0}, (int8x16_t)middle, (int8x16_t)x);
    return vdotq_s32(sums, (int8x16_t)(bytes ^ middle), (int8x16_t)x) - offset;
}

/* Portable. */
#else
ALWAYS Ints dot_bytes(Ints sums, Words bytes, Words x) {
    UNROLL
    for (int j = 0; j < 4; j++) {
        Ints of_x = (Ints)(x << (24 - 8 * j)) >> 24;
        sums += (Ints)(bytes >> 8 * j & 0xff) * of_x;
    }
    return sums;
}
#endif

/* The same for the two halves of each byte, the lower ones with x[0]. Four products of
 * 15 and 127 are less than 2^15. */
ALWAYS Ints dot_halves(Ints sums, Words word, const Words x[2]) {
    const uint32_t low = 0x0f0f0f0f;
    Words lower = word & low, upper = word >> 4 & low;
#ifdef MULTIPLY_BYTES
    Shorts fours = MULTIPLY_BYTES(lower, x[0]) + MULTIPLY_BYTES(upper, x[1]);
    return sums + MULTIPLY_PAIRS(fours, (Shorts){0} + 1);
#else
    return dot_bytes(dot_bytes(sums, lower, x[0]), upper, x[1]);
#endif
}

/* --- vectors in blocks --- */

/* 32 numbers of a vector in the order of the words of a panel. */
typedef struct {
    float scale;
    int32_t sum;
    uint32_t words[BLOCK / 4];
} Inputs;

/* Words of four columns have them as they come; of eight, the even ones in the lower
 * halves of their bytes and the odd ones in the upper. */
static void code_block(Inputs *out, const float x[BLOCK], int bits) {
    BlockQ8_0 block;
    int8_t ordered[BLOCK];
    block_of_inputs(&block, x);
    out->scale = half_to_float(block.scale);
    out->sum = 0;
    for (int i = 0; i < BLOCK; i++) out->sum += block.q[i];
    memcpy(ordered, block.q, sizeof ordered);
    for (int i = 0; i < BLOCK && bits == 4; i += 8) {
        UNROLL
        for (int j = 0; j < 4; j++) {
            ordered[i + j] = block.q[i + 2 * j];
            ordered[i + 4 + j] = block.q[i + 2 * j + 1];
        }
    }
    memcpy(out->words, ordered, sizeof ordered);
}

/* x [n, cols], in new memory. */
static Inputs *code_inputs(const float *x, size_t n, size_t cols, int bits) {
    size_t n_blocks = size_mul(n, cols / BLOCK);
    Inputs *inputs = checked_aligned_alloc(n_blocks, sizeof *inputs);
#pragma omp parallel for if (n > 1 && n * cols > PANELS_SERIAL)
    for (size_t b = 0; b < n_blocks; b++) code_block(inputs + b, x + b * BLOCK, bits);
    return inputs;
}

/* --- a panel --- */

enum {
    VECTORS = WIDE / SIMD_WIDTH,
    AT_ONCE = 3, /* so many vectors share each word that is read; their sums fill the
                  * registers */
};

/* Whole sums of one block, for each vector and row of the panel. */
typedef Ints WholeSums[AT_ONCE][VECTORS];

/* whole = the words of a block times those of n_x vectors, x_step blocks apart. */
ALWAYS void dot_words(WholeSums whole, const char *words, const Inputs *x,
                      size_t x_step, const size_t n_x, const int bits, int middle) {
    UNROLL
    for (size_t i = 0; i < n_x; i++) {
        const uint32_t start = (uint32_t)(-middle * x[i * x_step].sum);
        UNROLL
        for (size_t v = 0; v < VECTORS; v++) whole[i][v] = (Ints)words_all(start);
    }
    UNROLL
    for (int w = 0; w < bits; w++) {
        Words of_x[AT_ONCE][2];
        UNROLL
        for (size_t i = 0; i < n_x; i++) {
            const uint32_t *from = x[i * x_step].words;
            of_x[i][0] = words_all(from[bits == 8 ? w : 2 * w]);
            if (bits == 4) of_x[i][1] = words_all(from[2 * w + 1]);
        }
        UNROLL
        for (size_t v = 0; v < VECTORS; v++, words += sizeof(Words)) {
            Words word;
            memcpy(&word, words, sizeof word);
            if (n_x == 1) panel_prefetch(words); /* for more it is in a cache */
            UNROLL
            for (size_t i = 0; i < n_x; i++)
                whole[i][v] = bits == 8 ? dot_bytes(whole[i][v], word, of_x[i][0])
                                        : dot_halves(whole[i][v], word, of_x[i]);
        }
    }
}

/* sums [n_x][WIDE] += n blocks of a panel times those of n_x vectors. */
ALWAYS void dot_blocks(PanelSums *sums, const char *pieces, size_t n, const Inputs *x,
                       size_t x_step, const size_t n_x, const int bits,
                       const bool has_min) {
    const size_t halves = WIDE * sizeof(uint16_t), words = halves * (has_min ? 2 : 1);
    const int middle = has_min ? 0 : 1 << (bits - 1);
    for (size_t b = 0; b < n; b++, x++) {
        WholeSums whole;
        dot_words(whole, pieces + words, x, x_step, n_x, bits, middle);
        UNROLL
        for (size_t v = 0; v < VECTORS; v++) {
            const char *at = pieces + v * SIMD_WIDTH * sizeof(uint16_t);
            const Floats scale = halves_to_floats(at),
                         least = has_min ? halves_to_floats(at + halves) : scale;
            UNROLL
            for (size_t i = 0; i < n_x; i++) {
                const Inputs *of = x + i * x_step;
                float *to = sums[i] + v * SIMD_WIDTH;
                Floats sum =
                    floats_multiply_add(__builtin_convertvector(whole[i][v], Floats),
                                        scale * of->scale, floats_load(to));
                if (has_min) sum = multiply_add((float)of->sum, least * of->scale, sum);
                floats_store(to, sum);
            }
        }
        pieces += words + (size_t)bits * WIDE * sizeof(uint32_t);
    }
}

/* As dot_blocks, of a whole panel, for up to AT_ONCE vectors. */
typedef void WholeDot(PanelSums *sums, const char *panel, size_t n, const Inputs *x,
                      size_t n_x);

#define DOTS(name, Block, bits, has_min)                                               \
    ALWAYS void pieces_##name(float *sums, const void *x, const char *pieces,          \
                              size_t n) {                                              \
        dot_blocks((PanelSums *)(void *)sums, pieces, n, x, 0, 1, bits, has_min);      \
    }                                                                                  \
    PANEL_DOT(dot_##name, pieces_##name, sizeof(Inputs), WIDE * sizeof(Block))         \
    static void whole_##name(PanelSums *sums, const char *panel, size_t n,             \
                             const Inputs *x, size_t n_x) {                            \
        if (n_x == AT_ONCE) {                                                          \
            dot_blocks(sums, panel, n, x, n, AT_ONCE, bits, has_min);                  \
            return;                                                                    \
        }                                                                              \
        for (size_t i = 0; i < n_x; i++)                                               \
            dot_blocks(sums + i, panel, n, x + i * n, 0, 1, bits, has_min);            \
    }
DOTS(q8_0, BlockQ8_0, 8, false)
DOTS(q4_0, BlockQ4_0, 4, false)
DOTS(q4_1, BlockQ4_1, 4, true)

/* --- the kinds --- */

/* A type as files have it, which reads as that without whole numbers does, and in
 * panels. */
typedef struct {
    const WeightType *of_floats;
    WeightType filed;
    PanelType panels;
    int bits;
    WholeDot *dot;
} Kind;
static const Kind *kind_of(const WeightType *type);

static size_t filed_bytes(const Weight *w) {
    return kind_of(w->type)->of_floats->bytes(w);
}
static void filed_read(float *out, const Weight *w, size_t row, size_t first,
                       size_t n) {
    kind_of(w->type)->of_floats->read(out, w, row, first, n);
}

/* --- products --- */

/* The panel that begins with row `first`, times n vectors. */
static void multiply_panel(float *out, const Inputs *x, const Weight *w,
                           const float *bias, size_t n, size_t first, const char *panel,
                           WholeDot *dot) {
    const size_t rows = size_min(w->rows - first, WIDE), blocks = w->cols / BLOCK;
    for (size_t i = 0; i < n; i += AT_ONCE) {
        const size_t n_x = size_min(n - i, AT_ONCE);
        float *to = out + i * w->rows + first;
        PanelSums sums[AT_ONCE] = {{0}};
        tile_fetch(to, w->rows, n_x, rows);
        dot(sums, panel, blocks, x + i * blocks, n_x);
        for (size_t k = 0; k < n_x; k++, to += w->rows) {
            for (size_t r = 0; r < rows; r++)
                to[r] = bias ? sums[k][r] + bias[first + r] : sums[k][r];
        }
    }
}

/* w is in panels or, as a file has it, becomes one after the other here. Threads take
 * stretches that become shorter, as in weight_packed.c. */
static void multiply(float *out, const float *x, const Weight *w, const float *bias,
                     size_t n) {
    const Kind *kind = kind_of(w->type);
    const PanelType *t = &kind->panels;
    const bool filed = w->type == &kind->filed;
    Inputs *inputs = code_inputs(x, n, w->cols, kind->bits);
    if (n == 1 && !filed) {
        panels_dot(&(PanelProduct){out, w, inputs, NULL});
        for (size_t r = 0; r < w->rows && bias; r++) out[r] += bias[r];
        free(inputs);
        return;
    }
#pragma omp parallel for schedule(guided) if (n * w->rows * w->cols > PANELS_SERIAL)
    for (size_t row = 0; row < w->rows; row += WIDE) {
        size_t rows = size_min(w->rows - row, WIDE);
        char *made = filed ? checked_alloc(panel_bytes(t, w), 1) : NULL;
        if (made) t->pack(made, w, row, rows);
        multiply_panel(out, inputs, w, bias, n, row, made ? made : panel_at(w, row),
                       kind->dot);
        free(made);
    }
    free(inputs);
}

#define KIND(text, name, bits, Block)                                                  \
    {                                                                                  \
        &weight_##name,                                                                \
            {text, filed_bytes, filed_read, BLOCK, NULL, multiply, SIZE_MAX},          \
            {.type = {text " in panels", panels_bytes, panel_read_##name, BLOCK, NULL, \
                      multiply, SIZE_MAX},                                             \
             .width = WIDE,                                                            \
             .piece = BLOCK,                                                           \
             .bytes = WIDE * sizeof(Block),                                            \
             .pack = panel_pack_##name,                                                \
             .dot = dot_##name},                                                       \
            bits, whole_##name                                                         \
    }
static const Kind kinds[] = {KIND("Q8_0", q8_0, 8, BlockQ8_0),
                             KIND("Q4_0", q4_0, 4, BlockQ4_0),
                             KIND("Q4_1", q4_1, 4, BlockQ4_1)};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const Kind *kind_of(const WeightType *type) {
    for (size_t i = 0; i < KINDS; i++) {
        if (type == &kinds[i].filed || type == &kinds[i].panels.type) return kinds + i;
    }
    return NULL;
}

/* The kind that its floats belong to, or NULL. */
static const Kind *kind_of_floats(const WeightType *type) {
    for (size_t i = 0; i < KINDS; i++) {
        if (type == kinds[i].of_floats) return kinds + i;
    }
    return NULL;
}

bool weight_has_integers(const Weight *w) {
    return kind_of_floats(w->type) != NULL;
}

bool weight_use_integers(Weight *w) {
    const Kind *kind = kind_of_floats(w->type);
    if (kind) w->type = &kind->filed;
    return kind_of(w->type) != NULL;
}

const PanelType *integer_panels(const WeightType *type) {
    const Kind *kind = kind_of(type);
    return kind ? &kind->panels : NULL;
}

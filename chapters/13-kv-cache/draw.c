/* A picture of what a model makes of a prompt: see draw.h. */
#include "13-kv-cache/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "12-generation/sampling.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/unicode.h"
#include "files/file.h"

/* All lengths are in the units of the picture: points of a screen. */
enum {
    WIDTH = 960,
    LEFT = 90,   /* of the maps: the blocks' names stand there */
    RIGHT = 250, /* for the bars beside them */
    NAMES = 90,  /* for the tokens beside a map of one block */
    LARGEST = 120,
    GAP = 10,
    LINE = 22,
    TOP = 74,
    STRENGTHS = 8, /* shades of a weight */
    LIKELIEST = 8
};

typedef struct {
    FileWriter file;
    const TextModel *model;
    const Prompt *prompt;
    size_t n_head, columns; /* maps in a line */
    double side, pitch;     /* of a map; from map to map */
    bool names;             /* tokens stand beside a map */
} Picture;

static const char style[] =
    "svg { color-scheme: light dark; background: #fff; color: #1c2024;\n"
    "  font: 13px system-ui, sans-serif; }\n"
    "text { fill: currentColor; white-space: pre; }\n"
    ".quiet { fill: #57606a; }\n"
    ".ground { fill: #f0f3f6; }\n"
    ".weight { fill: #0a56a5; }\n"
    ".adds { fill: #b3470b; }\n"
    "@media screen and (prefers-color-scheme: dark) {\n"
    "  svg { background: #15181c; color: #e4e7ea; }\n"
    "  .quiet { fill: #a3adb7; }\n"
    "  .ground { fill: #242a31; }\n"
    "  .weight { fill: #82b9f2; }\n"
    "  .adds { fill: #f2a66f; }\n"
    "}\n";

/* Text as XML has it: of what comes from outside nothing is a sign of its own. */
static void put_text(Picture *p, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '<':
            file_printf(&p->file, "&lt;");
            break;
        case '&':
            file_printf(&p->file, "&amp;");
            break;
        default:
            file_write(&p->file, text, 1);
        }
    }
}

/* A token, or its id where the model has no tokenizer; blanks can be seen. */
static void put_token(Picture *p, int id, size_t most) {
    if (!p->model->tokenizer) {
        file_printf(&p->file, "%d", id);
        return;
    }
    size_t bytes;
    char *text = tokenizer_decode(p->model->tokenizer, &id, 1, &bytes);
    if (text[0] == ' ') file_printf(&p->file, "\xE2\x90\xA3"); /* U+2423 */
    put_text(p, printable(text + (text[0] == ' '), most).text);
    free(text);
}

static void begin_text(Picture *p, double x, double y, const char *attributes) {
    file_printf(&p->file, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
}

static void end_text(Picture *p) {
    file_printf(&p->file, "</text>\n");
}

static void rectangle(Picture *p, const char *kind, double x, double y, double width,
                      double height) {
    file_printf(
        &p->file,
        "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
        kind, x, y, width, height);
}

/* Weights [T, T] of a head: a row is a token, a column one that it looks at; one path
 * for each shade. */
static void draw_map(Picture *p, double x, double y, const float *weights) {
    size_t length = p->prompt->n;
    double cell = p->side / (double)length;
    rectangle(p, "ground", x, y, p->side, p->side);
    for (int shade = 1; shade <= STRENGTHS; shade++) {
        bool begun = false;
        for (size_t i = 0; i < length * length; i++) {
            if ((int)lrintf(weights[i] * STRENGTHS) != shade) continue;
            if (!begun)
                file_printf(&p->file,
                            "<path class=\"weight\" fill-opacity=\"%.3f\" "
                            "transform=\"translate(%.1f %.1f) scale(%.4f)\" d=\"",
                            (double)shade / STRENGTHS, x, y, cell);
            begun = true;
            file_printf(&p->file, "M%zu %zuh1v1h-1z", i % length, i / length);
        }
        if (begun) file_printf(&p->file, "\"/>\n");
    }
    if (!p->names) return;
    double size = fmin(12, 0.9 * cell);
    for (size_t t = 0; t < length; t++) {
        char attributes[80];
        snprintf(attributes, sizeof attributes,
                 "text-anchor=\"end\" style=\"font-size: %.1fpx\"", size);
        begin_text(p, x - 4, y + ((double)t + 0.5) * cell + size / 3, attributes);
        put_token(p, p->prompt->tokens[t], 12);
        end_text(p);
    }
}

static double size_of(const float *x, const float *minus, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double d = (double)x[i] - (minus ? (double)minus[i] : 0);
        sum += d * d;
    }
    return sqrt(sum / (double)n);
}

/* A bar of `share` of what there is room for, with words. */
static void draw_bar(Picture *p, const char *kind, double y, double share,
                     const char *words) {
    double x = WIDTH - RIGHT + GAP;
    rectangle(p, kind, x, y, fmax(1, share * (RIGHT - 3 * GAP)), 8);
    begin_text(p, x, y - 3, "class=\"quiet\"");
    put_text(p, words);
    end_text(p);
}

/* The block's maps, and for the last token the stream behind the block and what the
 * block has added to it. Returns the height. */
static double draw_block(Picture *p, double y, size_t block, const float *weights,
                         Tensor *const *hidden, double largest) {
    size_t length = p->prompt->n, dim = tensor_cols(hidden[0]),
           last = (length - 1) * dim, lines = (p->n_head - 1) / p->columns + 1;
    begin_text(p, 16, y + 16, "");
    file_printf(&p->file, "block %zu", block);
    end_text(p);
    for (size_t h = 0; h < p->n_head; h++) {
        double left = LEFT + (p->names ? NAMES : 0),
               x = left + (double)(h % p->columns) * p->pitch,
               top = y + (double)(h / p->columns) * (p->side + LINE);
        draw_map(p, x, top, weights + h * length * length);
    }
    double stream = size_of(hidden[block + 1]->data + last, NULL, dim),
           adds =
               size_of(hidden[block + 1]->data + last, hidden[block]->data + last, dim);
    char words[80];
    snprintf(words, sizeof words, "the stream: size %.2f", stream);
    draw_bar(p, "weight", y + 14, stream / largest, words);
    snprintf(words, sizeof words, "this block added %.2f", adds);
    draw_bar(p, "adds", y + 42, adds / largest, words);
    return fmax(60, (double)lines * (p->side + LINE) - LINE + GAP);
}

static void draw_next(Picture *p, double y, const float *logits, size_t n_vocab) {
    SamplingSettings settings = sampling_settings();
    SamplingMemory memory = sampling_memory(n_vocab);
    sampling_probabilities(&memory, logits, NULL, 0, &settings);
    double *rest = memory.probabilities;
    begin_text(p, 16, y + 12, "");
    file_printf(&p->file, "next");
    end_text(p);
    for (size_t i = 0; i < LIKELIEST && i < n_vocab; i++, y += LINE) {
        int best = sampling_argmax(rest, n_vocab);
        rectangle(p, "weight", LEFT + 120, y, fmax(1, 400 * rest[best]), 14);
        begin_text(p, LEFT, y + 12, "");
        put_token(p, best, 16);
        end_text(p);
        begin_text(p, LEFT + 128 + 400 * rest[best], y + 12, "class=\"quiet\"");
        file_printf(&p->file, "%.1f %%", 100 * rest[best]);
        end_text(p);
        rest[best] = -1;
    }
    sampling_memory_free(&memory);
}

static void draw_head(Picture *p, double height) {
    file_printf(&p->file,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" "
                "role=\"img\">\n<title>One prompt through a model</title>\n"
                "<style>\n%s</style>\n",
                WIDTH, height, style);
    begin_text(p, 16, 28, "style=\"font-size: 17px\"");
    for (size_t t = 0, shown = 0; t < p->prompt->n && shown < 16; t++, shown++)
        put_token(p, p->prompt->tokens[t], 24);
    file_printf(&p->file, "%s", p->prompt->n > 16 ? " ..." : "");
    end_text(p);
    begin_text(p, 16, 52, "class=\"quiet\"");
    file_printf(&p->file, "A square is a head: a row for each token, dark where it "
                          "looks. The bars are the last token's.");
    end_text(p);
}

static Picture picture_of(const TextModel *m, const Prompt *prompt, bool one) {
    size_t n_head = m->model->config.block.n_head;
    Picture p = {.model = m, .prompt = prompt, .n_head = n_head, .names = one};
    p.columns = one ? 2 : n_head;
    double room = WIDTH - RIGHT - LEFT;
    p.pitch = fmin(room / (double)p.columns, one ? room : LARGEST + GAP);
    p.side = p.pitch - GAP - (one ? NAMES : 0);
    return p;
}

void draw_prompt(const TextModel *m, const Prompt *prompt, size_t block,
                 const char *path) {
    const Gpt2Config *c = &m->model->config;
    size_t n_layer = c->n_layer, length = prompt->n;
    if (length > DRAW_MOST_TOKENS)
        die("--draw: a prompt of %zu tokens, expected at most %d", length,
            DRAW_MOST_TOKENS);
    bool one = block != DRAW_ALL_BLOCKS;
    if (one && block >= n_layer)
        die("--draw-block %zu: the model has %zu, from 0 on", block, n_layer);
    Tape t = tape_for_inference();
    Tensor **hidden = tape_alloc(&t, n_layer + 1, sizeof *hidden),
           **weights = tape_alloc(&t, n_layer, sizeof *weights);
    Gpt2Input input = {
        .tokens = prompt->tokens, .batch = 1, .length = length, .hidden = hidden};
    Tensor *last = gpt2_hidden_with_weights(&t, m->model, &input, weights);
    const float *logits = gpt2_logits_at(&t, m->model, last, (size_t[]){length - 1});
    double largest = 0;
    for (size_t l = 1; l <= n_layer; l++) {
        size_t dim = tensor_cols(hidden[l]);
        largest =
            fmax(largest, size_of(hidden[l]->data + (length - 1) * dim, NULL, dim));
    }
    Picture p = picture_of(m, prompt, one);
    size_t from = one ? block : 0, to = one ? from + 1 : n_layer,
           lines = (p.n_head - 1) / p.columns + 1;
    double y = TOP, of_block = fmax(60, (double)lines * (p.side + LINE) - LINE + GAP);
    p.file = file_begin(path);
    draw_head(&p, TOP + (double)(to - from) * of_block + (LIKELIEST + 1) * LINE);
    for (size_t l = from; l < to; l++)
        y += draw_block(&p, y, l, weights[l]->data, hidden, largest);
    draw_next(&p, y + LINE / 2.0, logits, c->n_vocab);
    file_printf(&p.file, "</svg>\n");
    file_commit(&p.file);
    tape_free(&t);
}

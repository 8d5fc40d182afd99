/* A picture of what a model makes of a prompt: see draw.h. */
#include "13-kv-cache/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "12-generation/sampling.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/size.h"
#include "base/unicode.h"
#include "files/file.h"

/* All lengths are in the units of the picture: points of a screen. */
enum {
    WIDTH = 960,
    LEFT = 90,   /* of the maps: the blocks' names stand there */
    RIGHT = 250, /* for the bars beside them */
    NAMES = 90,  /* for the tokens beside a map of one block */
    LARGEST = 120,
    MOST_COLUMNS = 12, /* more maps in a line would be too small to read */
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

/* What the model made of the prompt; all of it lies on the tape. */
typedef struct {
    Tape tape;
    Tensor **hidden;  /* [n_layer + 1] */
    Tensor **weights; /* [n_layer] */
    const float *logits;
    double largest; /* size of what a bar can stand for */
} Pass;

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

/* Text as XML has it: of what comes from outside nothing is a sign of its own, and the
 * two characters that XML does not allow, U+FFFE and U+FFFF, become U+FFFD. */
static void put_text(Picture *p, const char *text) {
    static const char *const replaced[][2] = {{"<", "&lt;"},
                                              {">", "&gt;"},
                                              {"&", "&amp;"},
                                              {"\xEF\xBF\xBE", "\xEF\xBF\xBD"},
                                              {"\xEF\xBF\xBF", "\xEF\xBF\xBD"}};
    enum { N_REPLACED = sizeof replaced / sizeof *replaced };
    while (*text) {
        size_t i = 0;
        while (i < N_REPLACED &&
               strncmp(text, replaced[i][0], strlen(replaced[i][0])) != 0)
            i++;
        if (i < N_REPLACED) {
            file_printf(&p->file, "%s", replaced[i][1]);
            text += strlen(replaced[i][0]);
        } else {
            file_write(&p->file, text++, 1);
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

/* The size (root mean square) of the last token's x, or of its x - minus. */
static double last_size(const Tensor *x, const Tensor *minus) {
    size_t dim = tensor_cols(x), last = (tensor_rows(x) - 1) * dim;
    double sum = 0;
    for (size_t i = last; i < last + dim; i++) {
        double d = (double)x->data[i] - (minus ? (double)minus->data[i] : 0);
        sum += d * d;
    }
    return sqrt(sum / (double)dim);
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

/* Lines of one block are closer to each other than to the next block. */
static double block_height(const Picture *p) {
    size_t lines = (p->n_head - 1) / p->columns + 1;
    return fmax(60, (double)lines * (p->side + GAP) - GAP + LINE);
}

/* The block's maps, and for the last token the stream behind the block and what the
 * block has added to it. */
static void draw_block(Picture *p, double y, const Pass *pass, size_t block) {
    size_t length = p->prompt->n;
    begin_text(p, 16, y + 16, "");
    file_printf(&p->file, "block %zu", block);
    end_text(p);
    for (size_t h = 0; h < p->n_head; h++) {
        double left = LEFT + (p->names ? NAMES : 0),
               x = left + (double)(h % p->columns) * p->pitch,
               top = y + (double)(h / p->columns) * (p->side + GAP);
        draw_map(p, x, top, pass->weights[block]->data + h * length * length);
    }
    double stream = last_size(pass->hidden[block + 1], NULL),
           adds = last_size(pass->hidden[block + 1], pass->hidden[block]);
    char words[80];
    snprintf(words, sizeof words, "the stream: size %.2f", stream);
    draw_bar(p, "weight", y + 14, stream / pass->largest, words);
    snprintf(words, sizeof words, "this block added %.2f", adds);
    draw_bar(p, "adds", y + 42, adds / pass->largest, words);
}

static void draw_next(Picture *p, double y, const float *logits,
                      const SamplingSettings *sampling) {
    size_t n_vocab = p->model->model->config.n_vocab;
    SamplingMemory memory = sampling_memory(n_vocab);
    sampling_probabilities(&memory, logits, p->prompt->tokens, p->prompt->n, sampling);
    double *rest = memory.probabilities;
    begin_text(p, 16, y + 12, "");
    file_printf(&p->file, "next");
    end_text(p);
    begin_text(p, WIDTH - RIGHT + GAP, y + 12, "class=\"quiet\"");
    file_printf(&p->file, "at temperature %g", sampling->temperature);
    end_text(p);
    for (size_t i = 0; i < LIKELIEST && i < n_vocab; i++, y += LINE) {
        int best = sampling_argmax(rest, n_vocab);
        if (!(rest[best] > 0)) break; /* the others cannot come */
        rectangle(p, "weight", LEFT + 120, y, fmax(1, 400 * rest[best]), 14);
        begin_text(p, LEFT, y + 12, "");
        put_token(p, best, 16);
        end_text(p);
        begin_text(p, LEFT + 128 + 400 * rest[best], y + 12, "class=\"quiet\"");
        file_printf(&p->file, "%.1f %%", 100 * rest[best]);
        end_text(p);
        rest[best] = 0;
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
    for (size_t t = 0; t < p->prompt->n && t < 16; t++) {
        if (t > 0 && !p->model->tokenizer) file_printf(&p->file, " ");
        put_token(p, p->prompt->tokens[t], 24);
    }
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
    p.columns = one ? 2 : size_min(n_head, MOST_COLUMNS);
    double room = WIDTH - RIGHT - LEFT;
    p.pitch = fmin(room / (double)p.columns, one ? room : LARGEST + GAP);
    p.side = p.pitch - GAP - (one ? NAMES : 0);
    return p;
}

static Pass pass_over(const Gpt2 *model, const Prompt *prompt) {
    size_t n_layer = model->config.n_layer;
    Pass pass = {.tape = tape_for_inference()};
    pass.hidden = tape_alloc(&pass.tape, n_layer + 1, sizeof *pass.hidden);
    pass.weights = tape_alloc(&pass.tape, n_layer, sizeof *pass.weights);
    Gpt2Input input = {.tokens = prompt->tokens,
                       .batch = 1,
                       .length = prompt->n,
                       .hidden = pass.hidden};
    Tensor *last = gpt2_hidden_with_weights(&pass.tape, model, &input, pass.weights);
    pass.logits = gpt2_logits_at(&pass.tape, model, last, (size_t[]){prompt->n - 1});
    for (size_t l = 0; l <= n_layer; l++) {
        pass.largest = fmax(pass.largest, last_size(pass.hidden[l], NULL));
        if (l == 0) continue;
        pass.largest =
            fmax(pass.largest, last_size(pass.hidden[l], pass.hidden[l - 1]));
    }
    return pass;
}

void draw_prompt(const TextModel *m, const Prompt *prompt,
                 const SamplingSettings *sampling, size_t block, const char *path) {
    size_t n_layer = m->model->config.n_layer;
    if (prompt->n > DRAW_MOST_TOKENS)
        die("--draw: a prompt of %zu tokens, expected at most %d", prompt->n,
            DRAW_MOST_TOKENS);
    bool one = block != DRAW_ALL_BLOCKS;
    if (one && block >= n_layer)
        die("--draw-block %zu: the model has %zu, from 0 on", block, n_layer);
    Pass pass = pass_over(m->model, prompt);
    Picture p = picture_of(m, prompt, one);
    size_t from = one ? block : 0, to = one ? from + 1 : n_layer;
    double y = TOP, of_block = block_height(&p);
    p.file = file_begin(path);
    draw_head(&p, TOP + (double)(to - from) * of_block + (LIKELIEST + 1) * LINE);
    for (size_t l = from; l < to; l++, y += of_block) draw_block(&p, y, &pass, l);
    draw_next(&p, y + LINE / 2.0, pass.logits, sampling);
    file_printf(&p.file, "</svg>\n");
    file_commit(&p.file);
    tape_free(&pass.tape);
}

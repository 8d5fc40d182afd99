/* --draw: a picture of every head and block, with the model's own numbers. */
#include "13-kv-cache/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/golden.h"
#include "check/remove_tree.h"
#include "files/file.h"

static int ids[] = {5, 6, 7, 5};
static const Prompt prompt = {ids, 4};

static char *picture_of(const TextModel *m, const Prompt *of,
                        const SamplingSettings *sampling, size_t block) {
    char *directory = new_directory(), *path = path_join(directory, "a.svg");
    size_t bytes;
    draw_prompt(m, of, sampling, block, path);
    char *svg = file_read(path, &bytes);
    remove_tree(directory);
    return svg;
}

static char *picture(const TextModel *m, size_t block) {
    SamplingSettings sampling = sampling_settings();
    return picture_of(m, &prompt, &sampling, block);
}

/* A model of random weights; `n_head` is its width, too. */
static TextModel random_model(size_t n_vocab, size_t n_head) {
    Gpt2Config config = gpt2_config(n_vocab, 40, 1, n_head, n_head);
    Random init = random_stream(1, 0);
    return (TextModel){.model = gpt2_create(&config, PARAMS_INFER, &init)};
}

static size_t count(const char *text, const char *part) {
    size_t n = 0;
    while ((text = strstr(text, part))) text += strlen(part), n++;
    return n;
}

Test(draw, a_map_for_every_head_of_every_block_or_of_one, .timeout = 10) {
    TextModel m = text_model_load(golden_path("tiny_gpt2"));
    size_t n_layer = m.model->config.n_layer, n_head = m.model->config.block.n_head;
    char *all = picture(&m, DRAW_ALL_BLOCKS), *one = picture(&m, n_layer - 1);
    CHECK(strcmp(all + strlen(all) - 7, "</svg>\n") == 0, "the picture has no end");
    CHECK(strstr(all, ">5 6 7 5<"), "the ids of the prompt are not apart");
    CHECK(count(all, "class=\"ground\"") == n_layer * n_head, "%zu maps of all blocks",
          count(all, "class=\"ground\""));
    CHECK(count(one, "class=\"ground\"") == n_head && strstr(one, ">block 1<"),
          "%zu maps of the last block", count(one, "class=\"ground\""));
    /* The first token can only look at itself. */
    CHECK(count(all, "fill-opacity=\"1.000\"") >= n_layer * n_head,
          "a first token looks elsewhere");
    text_model_free(&m);
}

Test(draw, the_likeliest_token_has_its_probability, .timeout = 10) {
    TextModel m = text_model_load(golden_path("tiny_gpt2"));
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = ids, .batch = 1, .length = prompt.n};
    size_t n = m.model->config.n_vocab, best = 0;
    const float *logits = gpt2_logits(&t, m.model, &input)->data + (prompt.n - 1) * n;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (logits[i] > logits[best]) best = i;
        sum += exp((double)logits[i]);
    }
    char expected[80];
    snprintf(expected, sizeof expected, ">%.1f %%<",
             100 * exp((double)logits[best]) / sum);
    char *svg = picture(&m, DRAW_ALL_BLOCKS), *first = strstr(svg, " %<");
    CHECK(first && strstr(svg, expected) && strstr(svg, expected) < first,
          "the first share is not %s", expected);
    tape_free(&t);
    text_model_free(&m);
}

static void draw_block_2(void *model) {
    SamplingSettings sampling = sampling_settings();
    draw_prompt(model, &prompt, &sampling, 2, "no.svg");
}

Test(draw, refuses_a_block_that_is_not_there, .timeout = 10) {
    TextModel m = text_model_load(golden_path("tiny_gpt2"));
    expect_exit(1, "the model has 2", draw_block_2, &m);
    text_model_free(&m);
}

typedef struct {
    double x, y, width, height;
} Box;

/* The next rectangle of that class at *svg, which moves behind its beginning. */
static bool next_box(const char **svg, const char *kind, Box *box) {
    char start[40];
    sprintf(start, "<rect class=\"%s\"", kind);
    const char *at = strstr(*svg, start);
    if (!at) return false;
    *svg = at + strlen(start);
    return sscanf(*svg, " x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &box->x,
                  &box->y, &box->width, &box->height) == 4;
}

Test(draw, maps_of_many_heads_can_be_seen, .timeout = 10) {
    enum { HEADS = 100, END_OF_MAPS = 710 };
    TextModel m = random_model(8, HEADS);
    const char *svg = picture(&m, DRAW_ALL_BLOCKS);
    double width, height;
    int got =
        sscanf(strstr(svg, "viewBox"), "viewBox=\"0 0 %lf %lf\"", &width, &height);
    CHECK(got == 2, "the picture has no size");
    Box box, before = {0};
    size_t n = 0;
    for (; next_box(&svg, "ground", &box); before = box, n++) {
        CHECK(box.width > 40 && box.height == box.width, "map %zu is %g by %g", n,
              box.width, box.height);
        CHECK(box.x + box.width <= END_OF_MAPS && box.y + box.height < height,
              "map %zu is outside", n);
        CHECK(n == 0 || box.x >= before.x + before.width ||
                  box.y >= before.y + before.height,
              "map %zu lies on the one before", n);
    }
    CHECK(n == HEADS, "%zu maps", n);
    text_model_free(&m);
}

static void fill(const TextModel *m, const char *name, float value) {
    Tensor *x = params_find(&m->model->params, name);
    for (size_t i = 0; i < tensor_size(x); i++) x->data[i] = value;
}

/* The block turns 3 into -4: it adds more than what the stream ever is. */
Test(draw, the_largest_addition_fits_beside_the_maps, .timeout = 10) {
    TextModel m = random_model(8, 2);
    fill(&m, "wte.weight", 3);
    fill(&m, "wpe.weight", 0);
    fill(&m, "h.0.mlp.c_proj.bias", -7);
    const char *svg = picture(&m, DRAW_ALL_BLOCKS);
    Box box = {0};
    CHECK(next_box(&svg, "adds", &box) && box.width == 220, "the bar is %g wide",
          box.width);
    text_model_free(&m);
}

#define U_FFFD "\xEF\xBF\xBD"
#define U_FFFE "\xEF\xBF\xBE"
#define U_FFFF "\xEF\xBF\xBF"

/* The tokenizer has tokens for the two characters that XML has not. */
Test(draw, any_prompt_is_well_formed, .timeout = 10) {
    static const char learned[] = U_FFFE "x" U_FFFF "x" U_FFFE "x" U_FFFF,
                      text[] = "x[i[0]]>1&<" U_FFFE U_FFFF;
    Tokenizer *tokenizer = tokenizer_train(learned, strlen(learned), 260);
    TextModel m = random_model(tokenizer_n_vocab(tokenizer), 2);
    m.tokenizer = tokenizer;
    Prompt p = prompt_of_bytes(&m, text, strlen(text), false);
    SamplingSettings sampling = sampling_settings();
    for (size_t block = 0; block < 2; block++) {
        char *svg = picture_of(&m, &p, &sampling, block == 0 ? block : DRAW_ALL_BLOCKS);
        CHECK(strstr(svg, ">x[i[0]]&gt;1&amp;&lt;" U_FFFD U_FFFD "</text>"),
              "the prompt is not there");
        CHECK(!strstr(svg, "]]>") && !strstr(svg, U_FFFE) && !strstr(svg, U_FFFF),
              "what XML does not allow is there");
    }
    text_model_free(&m);
}

/* With temperature 2 and the prompt's tokens made likelier; what cannot come has no
 * bar. */
Test(draw, next_is_what_would_be_drawn, .timeout = 10) {
    TextModel m = text_model_load(golden_path("tiny_gpt2"));
    SamplingSettings sampling = {
        .temperature = 2, .top_p = 1, .top_k = 3, .repetition_penalty = 0.1};
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = ids, .batch = 1, .length = prompt.n};
    size_t n = m.model->config.n_vocab;
    const float *logits = gpt2_logits(&t, m.model, &input)->data + (prompt.n - 1) * n;
    SamplingMemory memory = sampling_memory(n);
    sampling_probabilities(&memory, logits, ids, prompt.n, &sampling);
    int best = sampling_argmax(memory.probabilities, n);
    char expected[80];
    snprintf(expected, sizeof expected, ">%.1f %%<", 100 * memory.probabilities[best]);
    char *svg = picture_of(&m, &prompt, &sampling, DRAW_ALL_BLOCKS);
    CHECK(strstr(svg, expected), "the first share is not %s", expected);
    CHECK(count(svg, " %<") == 3, "%zu shares, expected 3", count(svg, " %<"));
    sampling_memory_free(&memory);
    tape_free(&t);
    text_model_free(&m);
}

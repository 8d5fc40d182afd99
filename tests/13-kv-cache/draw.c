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

static char *picture(const TextModel *m, size_t block) {
    char *directory = new_directory(), *path = path_join(directory, "a.svg");
    size_t bytes;
    draw_prompt(m, &prompt, block, path);
    char *svg = file_read(path, &bytes);
    remove_tree(directory);
    return svg;
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
    draw_prompt(model, &prompt, 2, "no.svg");
}

Test(draw, refuses_a_block_that_is_not_there, .timeout = 10) {
    TextModel m = text_model_load(golden_path("tiny_gpt2"));
    expect_exit(1, "the model has 2", draw_block_2, &m);
    text_model_free(&m);
}

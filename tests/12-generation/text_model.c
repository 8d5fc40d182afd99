/* Tests of models that are trained once and kept for the next experiment. */
#include "12-generation/text_model.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "check/remove_tree.h"

TestSuite(text_model, .init = scratch_enter, .fini = scratch_end, .timeout = 60);

static const SmallModel small = {.n_layer = 1, .d_model = 16, .n_ctx = 16, .steps = 8};
enum { LENGTH = 5 };

/* The sum of what the model says of five tokens. */
static double says(const TextModel *m) {
    const int tokens[LENGTH] = {1, 7, 300, 2, 2};
    Tape tape = tape_for_inference();
    Gpt2Input input = {.tokens = tokens, .batch = 1, .length = LENGTH};
    const float *logits = gpt2_logits(&tape, m->model, &input)->data;
    double sum = 0;
    for (size_t i = 0; i < LENGTH * m->model->config.n_vocab; i++)
        sum += (double)logits[i];
    tape_free(&tape);
    return sum;
}

/* How many models with such a name are kept; the path of one of them. */
static size_t find_kept(const char *which, char path[300]) {
    size_t n = 0;
    DIR *folder = opendir("build/models");
    cr_assert(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strstr(entry->d_name, which) || strstr(entry->d_name, ".lock")) continue;
        snprintf(path, 300, "build/models/%s", entry->d_name);
        n++;
    }
    closedir(folder);
    return n;
}
static size_t count_kept(void) {
    char path[300];
    return find_kept("seed", path);
}

Test(text_model, kept_is_the_one_that_was_trained) {
    TextModel trained = text_model_train(3, &small), first = text_model_kept(3, &small),
              second = text_model_kept(3, &small);
    CHECK(count_kept() == 1, "%zu models are kept, not 1", count_kept());
    CHECK(says(&first) == says(&trained), "the first says %g, the trained one %g",
          says(&first), says(&trained));
    CHECK(says(&second) == says(&trained), "the second says %g, the trained one %g",
          says(&second), says(&trained));
    CHECK(text_model_token(&second, "\\n") == text_model_token(&trained, "\\n"),
          "its tokenizer is another");
}

Test(text_model, kept_is_not_taken_for_another) {
    SmallModel longer = small;
    longer.steps *= 2;
    TextModel m[] = {text_model_kept(3, &small), text_model_kept(4, &small),
                     text_model_kept(3, &longer)};
    CHECK(count_kept() == 3, "%zu models are kept, not 3", count_kept());
    CHECK(says(&m[0]) != says(&m[1]) && says(&m[0]) != says(&m[2]),
          "two seeds or two trainings gave the same model");
}

/* A file of one model under the name of another shows that it is read. */
Test(text_model, kept_is_read_and_not_trained_again) {
    TextModel other = text_model_kept(4, &small);
    char from[300], to[300];
    find_kept("seed-4", from);
    text_model_kept(3, &small);
    find_kept("seed-3", to);
    remove_tree(to);
    cr_assert(rename(from, to) == 0);
    TextModel read = text_model_kept(3, &small);
    CHECK(says(&read) == says(&other), "it says %g, the kept one %g", says(&read),
          says(&other));
}

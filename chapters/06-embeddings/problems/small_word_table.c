/* The judge of open problem 06/small_word_table. */
#include "06-embeddings/problems/small_word_table.h"

#include <stdio.h>

#include "00-tensors/linear.h"
#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_layer.h"
#include "base/error.h"
#include "math/fmath.h"
#include "program/problem.h"

enum { STREAM_INIT = 1, STREAM_ORDER, STREAM_DATA, STREAM_TEST };
enum { BATCH = 128, STEPS = 1000, TESTS = 4096 };

typedef struct {
    ClassLanguage language;
    int number[LANGUAGE_WORDS]; /* the shuffled number of word w */
    Params params;
    SmallTable table;
    Linear head;
} Model;

/* Any order of the words is as likely as any other. */
static void shuffle_words(int number[LANGUAGE_WORDS], Random *r) {
    for (size_t w = 0; w < LANGUAGE_WORDS; w++) {
        size_t other = random_below(r, (uint32_t)w + 1);
        number[w] = number[other];
        number[other] = (int)w;
    }
}

static Model *model_create(uint64_t seed) {
    static Model m;
    Random init = random_stream(seed, STREAM_INIT),
           order = random_stream(seed, STREAM_ORDER);
    m = (Model){.language = class_language_create(seed),
                .params = {.mode = PARAMS_TRAIN}};
    shuffle_words(m.number, &order);
    m.table = small_table_create(&m.params, &init);
    size_t numbers = params_count(&m.params);
    if (numbers > MOST_NUMBERS)
        die("%zu learned numbers, expected at most %d", numbers, MOST_NUMBERS);
    m.head = linear_create(&m.params, &init, DIM, CLASSES, true, 0.2f, "head");
    return &m;
}

/* Fills words and classes [n] from the language and returns the loss. */
static Tensor *loss_of(Tape *t, const Model *m, int *words, int *classes, size_t n,
                       Random *r) {
    class_language_pairs(words, classes, n, &m->language, r);
    for (size_t i = 0; i < n; i++) {
        words[i] = m->number[words[i]];
        classes[i] %= CLASSES;
    }
    Tensor *rows = small_table_rows(t, &m->table, words, n);
    if (rows->ndim != 2 || rows->shape[0] != n || rows->shape[1] != DIM) {
        char text[TENSOR_SHAPE_TEXT];
        die("the rows of %zu words are %s, expected [%zu, %d]", n,
            tensor_shape_text(rows, text), n, DIM);
    }
    return cross_entropy(t, linear(t, &m->head, rows), classes);
}

static void train(Model *m, uint64_t seed) {
    int words[BATCH], classes[BATCH];
    AdamW optimizer = adamw_create(&m->params, 1e-2f, 0);
    Random data = random_stream(seed, STREAM_DATA);
    Tape t = tape_create(seed);
    for (size_t step = 0; step < STEPS; step++) {
        tape_reset(&t);
        params_zero_grad(&m->params);
        tape_backward(&t, loss_of(&t, m, words, classes, BATCH, &data));
        adamw_step(&optimizer, &m->params);
    }
    adamw_free(&optimizer);
    tape_free(&t);
}

/* The lowest possible loss: the entropy of the next word less that of a word within its
 * class. */
static double floor_of(const ClassLanguage *l) {
    double floor = class_language_floor(l);
    for (size_t i = 0; i < CLASS_WORDS; i++)
        floor += l->ranks[i] * log_double(l->ranks[i]);
    return floor;
}

static double above_floor(uint64_t seed) {
    static int words[TESTS], classes[TESTS];
    Model *m = model_create(seed);
    train(m, seed);
    Random tests = random_stream(seed, STREAM_TEST);
    Tape t = tape_for_inference();
    double loss = (double)loss_of(&t, m, words, classes, TESTS, &tests)->data[0];
    tape_free(&t);
    params_free(&m->params);
    return loss - floor_of(&m->language);
}

static void judge(const Settings *settings) {
    double above[PROBLEM_SEEDS];
    problem_measure(above, settings, above_floor,
                    "loss %.3f above the entropy of the next class");
    problem_at_most("loss above the entropy", above, 0.5);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "06/small_word_table", judge);
}

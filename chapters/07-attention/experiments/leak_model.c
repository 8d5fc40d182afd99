/* A language model that reads its answers: see leak_model.h. */
#include "07-attention/experiments/leak_model.h"

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_layer.h"
#include "07-attention/experiments/word_model.h"
#include "math/fmath.h"
#include "kernels/softmax.h"

enum { STREAM_INIT = 1, STREAM_DATA, STREAM_TEST, STREAM_WRITE, STREAM_GIVEN };
enum {
    LENGTH = LEAK_LENGTH,
    DIM = 32,
    HEADS = 2,
    BATCH = 64,
    TEST_BATCH = 1024,
    WRITTEN = 512
};

static int rule(int word) {
    return (word + 1) % LEAK_WORDS;
}

static int next_word(int word, LeakLanguage language, Random *r) {
    bool follow = language == LEAK_RULE && random_below(r, 4) > 0;
    return follow ? rule(word) : (int)random_below(r, LEAK_WORDS);
}

double leak_rule_share(void) {
    return 0.75 + 0.25 / LEAK_WORDS;
}

double leak_rule_entropy(void) {
    double other = 0.25 / LEAK_WORDS, share = leak_rule_share();
    return -share * log_double(share) - (LEAK_WORDS - 1) * other * log_double(other);
}

/* Each word's target is the word behind it. */
static void sentences(int *tokens, int *targets, size_t batch, LeakLanguage language,
                      Random *r) {
    for (size_t b = 0; b < batch; b++) {
        int word = (int)random_below(r, LEAK_WORDS);
        for (size_t i = b * LENGTH; i < (b + 1) * LENGTH; i++) {
            tokens[i] = word;
            targets[i] = word = next_word(word, language, r);
        }
    }
}

static Tensor *loss_of(Tape *t, const WordModel *m, const int *tokens,
                       const int *targets, size_t batch) {
    return cross_entropy(t, word_model_logits(t, m, tokens, batch, LENGTH, NULL),
                         targets);
}

static double measure(Tape *t, const WordModel *m, LeakLanguage language,
                      uint64_t seed) {
    int tokens[TEST_BATCH * LENGTH], targets[TEST_BATCH * LENGTH];
    Random r = random_stream(seed, STREAM_TEST);
    sentences(tokens, targets, TEST_BATCH, language, &r);
    tape_reset(t);
    return (double)loss_of(t, m, tokens, targets, TEST_BATCH)->data[0];
}

/* A word drawn from the probabilities that the logits stand for. */
static int draw(const float *logits, Random *r) {
    float p[LEAK_WORDS], u = random_float(r);
    row_softmax(p, logits, LEAK_WORDS, 1.0f);
    int word = 0;
    while (word < LEAK_WORDS - 1 && u >= p[word]) u -= p[word++];
    return word;
}

static bool stands_in(const int *words, size_t n, int word) {
    for (size_t i = 0; i < n; i++) {
        if (words[i] == word) return true;
    }
    return false;
}

/* The first n words of each sentence. */
static void first_words(int *so_far, const int *words, size_t sentences, size_t n) {
    for (size_t i = 0; i < sentences * n; i++)
        so_far[i] = words[i / n * LENGTH + i % n];
}

/* The model gets the words so far, and the next word is drawn from its distribution at
 * the last one. There is no future to look at. */
static void write_sentences(LeakWriting *writing, const WordModel *m, uint64_t seed) {
    int words[WRITTEN * LENGTH], so_far[WRITTEN * LENGTH];
    Random r = random_stream(seed, STREAM_WRITE);
    Tape t = tape_for_inference();
    for (size_t b = 0; b < WRITTEN; b++)
        words[b * LENGTH] = (int)random_below(&r, LEAK_WORDS);
    for (size_t n = 1; n < LENGTH; n++) {
        first_words(so_far, words, WRITTEN, n);
        tape_reset(&t);
        const Tensor *logits = word_model_logits(&t, m, so_far, WRITTEN, n, NULL);
        size_t follow = 0, repeat = 0;
        for (size_t b = 0; b < WRITTEN; b++) {
            int *sentence = words + b * LENGTH;
            sentence[n] = draw(logits->data + ((b + 1) * n - 1) * LEAK_WORDS, &r);
            follow += sentence[n] == rule(sentence[n - 1]);
            repeat += stands_in(sentence, n, sentence[n]);
        }
        writing->follows[n - 1] = (double)follow / WRITTEN;
        writing->repeats[n - 1] = (double)repeat / WRITTEN;
    }
    tape_free(&t);
}

/* The same, but the model gets n words of the language, not its own. */
static void continue_sentences(LeakWriting *writing, const WordModel *m,
                               uint64_t seed) {
    int words[TEST_BATCH * LENGTH], targets[TEST_BATCH * LENGTH];
    int so_far[TEST_BATCH * LENGTH];
    Random r = random_stream(seed, STREAM_GIVEN);
    Tape t = tape_for_inference();
    sentences(words, targets, TEST_BATCH, LEAK_RULE, &r);
    for (size_t n = 1; n <= LENGTH; n++) {
        first_words(so_far, words, TEST_BATCH, n);
        tape_reset(&t);
        const Tensor *logits = word_model_logits(&t, m, so_far, TEST_BATCH, n, NULL);
        size_t follow = 0, repeat = 0;
        for (size_t b = 0; b < TEST_BATCH; b++) {
            const int *sentence = words + b * LENGTH;
            int next = draw(logits->data + ((b + 1) * n - 1) * LEAK_WORDS, &r);
            follow += next == rule(sentence[n - 1]);
            repeat += n < LENGTH && stands_in(sentence, n, sentence[n]);
        }
        writing->given[n - 1] = (double)follow / TEST_BATCH;
        if (n < LENGTH) writing->language_repeats[n - 1] = (double)repeat / TEST_BATCH;
    }
    tape_free(&t);
}

size_t leak_train(double *loss, LeakWriting *writing, LeakLanguage language,
                  bool causal, size_t steps, uint64_t seed) {
    int tokens[BATCH * LENGTH], targets[BATCH * LENGTH];
    Random init = random_stream(seed, STREAM_INIT),
           data = random_stream(seed, STREAM_DATA);
    WordModelConfig config = {.n_words = LEAK_WORDS,
                              .length = LENGTH,
                              .n_layer = 1,
                              .d_model = DIM,
                              .n_head = HEADS,
                              .causal = causal,
                              .norm = NORM_NONE};
    WordModel m = word_model_create(&config, &init);
    AdamW optimizer = adamw_create(&m.params, 1e-2f, 0);
    Tape t = tape_create(seed);
    size_t n = 0;
    for (size_t step = 0; step <= steps; step++) {
        if (step % LEAK_EVERY == 0) loss[n++] = measure(&t, &m, language, seed);
        sentences(tokens, targets, BATCH, language, &data);
        tape_reset(&t);
        params_zero_grad(&m.params);
        tape_backward(&t, loss_of(&t, &m, tokens, targets, BATCH));
        adamw_step(&optimizer, &m.params);
    }
    if (writing) {
        write_sentences(writing, &m, seed);
        continue_sentences(writing, &m, seed);
    }
    adamw_free(&optimizer);
    word_model_free(&m);
    tape_free(&t);
    return n;
}

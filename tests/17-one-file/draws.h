/* Stage 7 of exercise 17/gpt2: many draws of a few tokens, and what mistakes give; a
 * text that is known beforehand. */
#ifndef TESTS_17_DRAWS_H
#define TESTS_17_DRAWS_H

#include <sys/stat.h>

#include "run.h"
#include "plain.h"
#include "words.h"

static size_t count_ids(const char *out) {
    size_t n = 1;
    for (; *out; out++) n += *out == ',';
    return n;
}

/* Without layers what follows depends on the token and its position alone; without
 * positions on the token. One token of V is drawn after the other. */
enum { CHAIN_V = 6, CHAIN_P = 1500 };

static Tiny chain(void) {
    Tiny m = tiny_model(CHAIN_V, CHAIN_P, 1, 1, 4, 4);
    tiny_silence(&m);
    memset(m.wpe, 0, m.P * m.D * sizeof(float));
    /* All tokens have the same norm, the logits are ln_f_b w: for every token alike. */
    memset(m.ln_f_w, 0, m.D * sizeof(float));
    static const float logits[CHAIN_V] = {0.2f, 1.9f, -1, 1, 1.6f, -0.5f};
    memset(m.wte, 0, m.V * m.D * sizeof(float));
    for (size_t i = 0; i < CHAIN_V; i++) m.wte[i * m.D] = logits[i];
    memset(m.ln_f_b, 0, m.D * sizeof(float));
    m.ln_f_b[0] = 1;
    return m;
}

/* The shares of the tokens of 1499 draws. */
static void draw(double shares[CHAIN_V], const char *t, const char *k,
                 const char *seed) {
    Tiny m = chain();
    const char *directory = tiny_save(&m, "chain");
    char *out =
        OUTPUT(directory, "--ids", "0", "-n", "1499", "-t", t, "-k", k, "-s", seed);
    size_t n = 0;
    memset(shares, 0, CHAIN_V * sizeof *shares);
    for (char *id = strchr(out, ','); id; id = strchr(id + 1, ',')) {
        int token = atoi(id + 1);
        CHECK(token >= 0 && token < CHAIN_V, "token %d is written", token);
        shares[token]++;
        n++;
    }
    CHECK(n == 1499, "%zu tokens are drawn, expected 1499", n);
    for (size_t i = 0; i < CHAIN_V; i++) shares[i] /= (double)n;
}

static void chain_shares(double shares[CHAIN_V], double t, size_t k) {
    static const double logits[CHAIN_V] = {0.2, 1.9, -1, 1, 1.6, -0.5};
    static const size_t rank[CHAIN_V] = {3, 0, 5, 2, 1, 4};
    double sum = 0;
    for (size_t i = 0; i < CHAIN_V; i++)
        sum += shares[i] = rank[i] < k ? exp(logits[i] / t) : 0;
    for (size_t i = 0; i < CHAIN_V; i++) shares[i] /= sum;
}

/* Shares of 1499 draws have a deviation of 0.013 at most: 0.055 is four of them. */
static bool same_shares(const double a[CHAIN_V], const double b[CHAIN_V]) {
    for (size_t i = 0; i < CHAIN_V; i++)
        if (fabs(a[i] - b[i]) > 0.055 || (b[i] == 0 && a[i] > 0)) return false;
    return true;
}

static void check_shares(const double got[CHAIN_V], double t, size_t k) {
    double right[CHAIN_V], other[CHAIN_V];
    chain_shares(right, t, k);
    if (same_shares(got, right)) return;
    chain_shares(other, 1 / t, k);
    CHECK(!same_shares(got, other),
          "this is what you get when logits are multiplied by the temperature: they "
          "are divided by it");
    chain_shares(other, 1, k);
    CHECK(!same_shares(got, other), "this is what you get when the temperature is not "
                                    "used");
    chain_shares(other, t, k + 1);
    CHECK(!same_shares(got, other), "this is what you get when one token more than k "
                                    "is kept");
    chain_shares(other, t, k - 1);
    CHECK(!same_shares(got, other), "this is what you get when one token less than k "
                                    "is kept");
    chain_shares(other, t, CHAIN_V);
    CHECK(!same_shares(got, other), "this is what you get when -k is not used");
    chain_shares(other, t, 1);
    CHECK(!same_shares(got, other), "only the likeliest token is written: this is what "
                                    "you get when -t is not used");
    for (size_t i = 0; i < CHAIN_V; i++) other[i] = 1.0 / CHAIN_V;
    CHECK(!same_shares(got, other), "all tokens are drawn alike: this is what you get "
                                    "when the probabilities are not used");
    size_t worst = 0;
    for (size_t i = 0; i < CHAIN_V; i++)
        if (fabs(got[i] - right[i]) > fabs(got[worst] - right[worst])) worst = i;
    CHECK(false, "with -t %g -k %zu token %zu is %.3f of 1499 draws, expected %.3f", t,
          k, worst, got[worst], right[worst]);
}

/* Is there a new random number for each draw? */
static void check_independent(const char *directory) {
    size_t n = 0, same = 0;
    double expected[CHAIN_V], chance = 0;
    char *out = OUTPUT(directory, "--ids", "0", "-n", "1499", "-t", "2");
    for (char *id = strchr(out, ','); id && id[2] == ','; id = strchr(id + 1, ',')) {
        same += id[1] == id[3];
        n++;
    }
    chain_shares(expected, 2, CHAIN_V);
    for (size_t i = 0; i < CHAIN_V; i++) chance += expected[i] * expected[i];
    CHECK(
        fabs((double)same / (double)n - chance) < 0.05,
        "%.3f of the draws equal the one before, expected %.3f: is there a new random "
        "number for each?",
        (double)same / (double)n, chance);
}

/* A model that knows a text by heart: what follows a position is what wpe says. Its
 * ids, of which there are n. */
static size_t by_heart(const char *text) {
    Tiny m = tiny_model(WORD_V, 60, 1, 1, 64, 4);
    int ids[60];
    size_t n = 0;
    const char *at = words_written(text, EXACT);
    for (; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) ids[n++] = atoi(at);
    tiny_silence(&m);
    memset(m.ln_f_b, 0, m.D * sizeof(float));
    for (size_t i = 0; i < m.D; i++) m.ln_f_w[i] = 1;
    for (size_t i = 0; i + 1 < n; i++) {
        const float *next = m.wte + (size_t)ids[i + 1] * m.D;
        for (size_t e = 0; e < m.D; e++) m.wpe[i * m.D + e] = 50 * next[e];
    }
    words_save(tiny_save(&m, "by-heart"), false);
    return n;
}

/* Logits of 0, whose bytes are no text, go where the text goes: of row k nothing is
 * there before k + 1 tokens are, the first of them the prompt. */
static void check_streamed(void) {
    enum { N = 30 };
    Tiny m = tiny_model(WORD_V, N, 1, 1, 4, 4);
    memset(m.wte, 0, m.V * m.D * sizeof(float));
    const char *directory = tiny_save(&m, "zero-logits");
    words_save(directory, false);
    char fifo[100];
    snprintf(fifo, sizeof fifo, "%s/stream-%ld", directory, (long)getpid());
    remove(fifo);
    CHECK(mkfifo(fifo, 0600) == 0, "the test cannot make %s", fifo);
    one_stream = fifo;
    Ran ran = RUN(directory, "-p", "#", "-n", "20", "--logits", fifo);
    one_stream = NULL;
    remove(fifo);
    output_of(ran);
    size_t n_tokens = 0, n_bytes = 0, row = m.V * sizeof(float);
    for (size_t i = 0; i < ran.n_out; i++) {
        if (ran.out[i]) {
            n_tokens++;
            continue;
        }
        CHECK(
            n_tokens > n_bytes++ / row,
            "%zu tokens have left the program when it has computed what follows token "
            "%zu: each goes out before the next is computed (fflush)",
            n_tokens, (n_bytes - 1) / row + 1);
    }
}

/* A thousand positions a second time for each token are seconds; once, a moment. */
static void check_each_position_once(void) {
    Tiny m = tiny_model(40, 1000, 2, 2, 64, 64);
    too_slow = "perhaps positions are computed twice: a token is read once, and leaves "
               "its keys and values in the cache";
    most_seconds = 3;
    char *out = OUTPUT(tiny_save(&m, "thousand-positions"), "--ids", "3", "-n", "999");
    CHECK(count_ids(out) == 1000, "-n 999 behind one id writes %zu ids",
          count_ids(out));
}

#endif

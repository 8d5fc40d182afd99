/* The judge of open problem 09/own_vocabulary. */
#include "09-tokenizer/problems/own_vocabulary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/tokenizer.h"
#include "text/corpus.h"
#include "base/error.h"
#include "program/problem.h"

enum { BYTES = 200000, MOST_WORDS = 5000, LONGEST_WORD = 99 };

size_t fewest_tokens(const Token *tokens, size_t n_tokens, const Word *word) {
    size_t fewest[LONGEST_WORD + 1] = {0},
                                 n = word->n < LONGEST_WORD ? word->n : LONGEST_WORD;
    for (size_t end = 1; end <= n; end++) {
        fewest[end] = fewest[end - 1] + 1;
        for (size_t i = 0; i < n_tokens; i++) {
            const Token *t = &tokens[i];
            if (t->n <= end && fewest[end - t->n] + 1 < fewest[end] &&
                memcmp(word->bytes + end - t->n, t->bytes, t->n) == 0)
                fewest[end] = fewest[end - t->n] + 1;
        }
    }
    return fewest[n];
}

size_t bpe_tokens(Token *tokens, size_t n_tokens, const char *text, size_t n) {
    Tokenizer *t = tokenizer_train(text, n, TOKENIZER_MIN_VOCAB + n_tokens);
    size_t learned = tokenizer_n_vocab(t) - TOKENIZER_MIN_VOCAB;
    for (size_t i = 0; i < learned; i++) {
        size_t length;
        const char *bytes = tokenizer_token(t, 256 + (int)i, &length);
        tokens[i].n = length < TOKEN_BYTES ? length : TOKEN_BYTES;
        memcpy(tokens[i].bytes, bytes, tokens[i].n);
    }
    tokenizer_free(t);
    return learned;
}

/* The distinct words of a text; their bytes lie in `table`. */
static size_t words_of(Word *words, StringTable *table, const char *text, size_t n) {
    static size_t times[MOST_WORDS];
    memset(times, 0, sizeof times);
    Pretokenizer *p = pretokenizer_create(&gpt2_words);
    WordWalk walk = words_begin(p, text, n);
    const char *word;
    size_t length;
    while (words_next(&walk, &word, &length)) {
        size_t i = string_table_add(table, word, length);
        if (i >= MOST_WORDS) die("more than %d words", MOST_WORDS);
        times[i]++;
    }
    words_end(&walk);
    pretokenizer_free(p);
    for (size_t i = 0; i < table->n; i++) {
        words[i].bytes = string_table_get(table, i, &words[i].n);
        words[i].times = times[i];
    }
    return table->n;
}

static double tokens_needed(const Token *tokens, size_t n_tokens, const Word *words,
                            size_t n_words) {
    size_t sum = 0;
    for (size_t w = 0; w < n_words; w++)
        sum += words[w].times * fewest_tokens(tokens, n_tokens, &words[w]);
    return (double)sum;
}

static void judge(const Settings *settings) {
    static Word words[MOST_WORDS];
    double share[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        Token own[OWN_TOKENS] = {0}, bpe[OWN_TOKENS] = {0};
        StringTable table = {0}, other_table = {0};
        CorpusText text = corpus_generate(settings->seed + k, BYTES);
        size_t n_words = words_of(words, &table, text.text, text.bytes);
        own_vocabulary(own, text.text, text.bytes, words, n_words);
        for (size_t i = 0; i < OWN_TOKENS; i++)
            if (own[i].n == 0 || own[i].n > TOKEN_BYTES)
                die("token %zu has %zu bytes", i, own[i].n);
        size_t n_bpe = bpe_tokens(bpe, OWN_TOKENS, text.text, text.bytes);
        CorpusText other = corpus_generate(settings->seed + k + 1000, BYTES);
        n_words = words_of(words, &other_table, other.text, other.bytes);
        double needed = tokens_needed(own, OWN_TOKENS, words, n_words);
        share[k] = needed / tokens_needed(bpe, n_bpe, words, n_words);
        printf("seed %zu: %.2f bytes a token on other stories; %.3f of the tokens that "
               "BPE's vocabulary needs\n",
               k + 1, (double)other.bytes / needed, share[k]);
        string_table_free(&table);
        string_table_free(&other_table);
        free(text.text);
        free(other.text);
    }
    problem_at_most("share of BPE's tokens", share, 0.9);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "09/own_vocabulary", judge);
}

/* The built-in language as words: see words.h. */
#include "08-transformer-block/experiments/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "text/corpus.h"

static const char marks[] = ".?\n";

static int find(const Words *w, const char *at, size_t bytes) {
    for (size_t i = 0; i < w->n_words; i++) {
        if (w->words[i].bytes == bytes && memcmp(w->words[i].at, at, bytes) == 0)
            return (int)i;
    }
    return -1;
}

/* The id of a word of the text, which is a new one unless all are known. */
static int id_of(Words *w, bool known, const char *at, size_t bytes) {
    int id = find(w, at, bytes);
    if (id >= 0) return id;
    if (known || w->n_words == WORDS_MOST)
        die("words: '%.*s' is no word, or one too many", (int)bytes, at);
    w->words[w->n_words] = (struct Word){at, bytes};
    return (int)w->n_words++;
}

static void add_story(Words *w, bool known, const char *at, size_t bytes) {
    for (const char *end = at + bytes; at < end;) {
        size_t n = strchr(marks, *at) ? 1 : strcspn(at, " .?\n");
        if (n > 0) w->tokens[w->n++] = id_of(w, known, at, n);
        at += n > 0 ? n : 1;
    }
}

Words words_create(uint64_t seed, size_t bytes, const Words *like) {
    CorpusText corpus = corpus_generate(seed, bytes);
    Words w = {.text = corpus.text,
               .tokens = checked_alloc(corpus.bytes, sizeof *w.tokens)};
    const char *at = corpus.text;
    if (like) {
        memcpy(w.words, like->words, sizeof w.words);
        w.n_words = like->n_words;
    }
    for (size_t line; *at; at += line) {
        line = strcspn(at, "\n") + 1;
        const char *puts = strstr(at, " puts ");
        if (puts && puts < at + line) add_story(&w, like != NULL, at, line);
    }
    w.end = find(&w, "\n", 1);
    return w;
}

void words_free(Words *w) {
    free(w->text);
    free(w->tokens);
    *w = (Words){0};
}

size_t words_write(char *to, const Words *w, int token, bool first_of_story) {
    const struct Word *word = &w->words[token];
    size_t blank = !first_of_story && !strchr(marks, *word->at);
    if (blank) *to = ' ';
    memcpy(to + blank, word->at, word->bytes);
    return blank + word->bytes;
}

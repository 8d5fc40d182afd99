/* Stories as examples: see stories.h. */
#include "19-fine-tuning/stories.h"

#include <stdlib.h>
#include <string.h>

#include "19-fine-tuning/answer_mask.h"
#include "19-fine-tuning/sister.h"
#include "base/memory.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"
#include "text/corpus.h"

static CorpusText text_of(uint64_t seed, size_t bytes, bool sister) {
    CorpusText text = corpus_generate(seed, bytes);
    if (!sister) return text;
    char *other = sister_text(text.text, text.bytes, &text.bytes);
    free(text.text);
    text.text = other;
    return text;
}

/* The tokens up to the one with the question mark. */
static size_t prompt_of(const Tokenizer *tokenizer, const int *tokens, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t bytes;
        const char *token = tokenizer_token(tokenizer, tokens[i], &bytes);
        if (memchr(token, '?', bytes)) return i + 1;
    }
    return n;
}

/* Of each byte of a line; all letters of a name belong to it. */
static void parts_of_bytes(StoryPart *parts, const char *line, size_t bytes) {
    StoryPart next = FIRST_NAME;
    for (size_t at = 0; at < bytes;) {
        size_t word;
        bool is_name = sister_name(line + at, bytes - at, &word);
        StoryPart part = is_name ? next : NO_NAME;
        if (is_name) next = OTHER_NAMES;
        for (size_t end = at + (word ? word : 1); at < end; at++) parts[at] = part;
    }
}

/* One line with the line feeds on both sides of it. A token stands where its last byte
 * does: " Tom" in a name. */
static void add_story(Stories *s, const Tokenizer *tokenizer, const char *line,
                      size_t bytes) {
    size_t n, at = s->starts[s->n], byte = 0;
    int *tokens = tokenizer_encode(tokenizer, line, bytes, false, &n);
    StoryPart *parts = checked_alloc(bytes, sizeof *parts);
    parts_of_bytes(parts, line, bytes);
    for (size_t i = 0; i < n; i++) {
        size_t length;
        tokenizer_token(tokenizer, tokens[i], &length);
        byte += length;
        s->tokens[at + i] = tokens[i];
        s->parts[at + i] = parts[byte - 1];
    }
    free(parts);
    free(tokens);
    s->prompts[s->n] = prompt_of(tokenizer, s->tokens + at, n);
    s->starts[++s->n] = at + n;
    if (n > s->longest) s->longest = n;
}

Stories stories_create(const Tokenizer *tokenizer, uint64_t seed, size_t bytes,
                       bool sister) {
    CorpusText text = text_of(seed, bytes, sister);
    size_t lines = text.bytes + 1; /* a line feed is in front of the first */
    char *all = checked_alloc(lines, 1);
    all[0] = '\n';
    memcpy(all + 1, text.text, text.bytes);
    free(text.text);
    /* A token has a byte at least, and a line feed belongs to two stories. */
    Stories s = {.tokens = checked_alloc(lines + text.stories, sizeof *s.tokens),
                 .parts = checked_alloc(lines + text.stories, sizeof *s.parts),
                 .starts = checked_alloc(text.stories + 1, sizeof *s.starts),
                 .prompts = checked_alloc(text.stories, sizeof *s.prompts),
                 .entropy = text.nll / (double)text.stories};
    s.starts[0] = 0;
    for (const char *line = all, *end = all + lines; s.n < text.stories;) {
        const char *next = memchr(line + 1, '\n', (size_t)(end - line - 1));
        add_story(&s, tokenizer, line, (size_t)(next + 1 - line));
        line = next;
    }
    free(all);
    return s;
}

void stories_free(Stories *s) {
    free(s->tokens);
    free(s->parts);
    free(s->starts);
    free(s->prompts);
    *s = (Stories){0};
}

Languages languages_create(const Tokenizer *tokenizer, uint64_t seed) {
    enum { BYTES = 400000, UNSEEN_BYTES = 60000, UNSEEN = 1000003 };
    Languages both;
    for (size_t l = OLD; l <= NEW; l++) {
        both.text[l] = stories_create(tokenizer, 2 * seed + l, BYTES, l == NEW);
        both.unseen[l] =
            stories_create(tokenizer, UNSEEN + 2 * seed + l, UNSEEN_BYTES, l == NEW);
    }
    return both;
}

void languages_free(Languages *both) {
    for (size_t l = OLD; l <= NEW; l++) {
        stories_free(&both->text[l]);
        stories_free(&both->unseen[l]);
    }
}

size_t stories_row(const Stories *s, size_t i, bool answers_only, size_t length,
                   int *inputs, int *targets) {
    const int *tokens = s->tokens + s->starts[i];
    size_t n = s->starts[i + 1] - s->starts[i];
    for (size_t j = 0; j < length; j++) inputs[j] = tokens[j < n ? j : 0];
    return answer_mask(targets, tokens, n, answers_only ? s->prompts[i] : 1, length);
}

/* --- the score --- */

/* Adds -ln p of the tokens of story i to the parts of the score; returns whether each
 * token of its answer is the likeliest. */
static bool add_score(StoriesScore *score, const Stories *s, size_t i,
                      const float *logits, size_t n_vocab) {
    size_t n = s->starts[i + 1] - s->starts[i];
    const int *tokens = s->tokens + s->starts[i];
    const StoryPart *parts = s->parts + s->starts[i];
    bool answered = true;
    for (size_t at = 1; at < n; at++, logits += n_vocab) {
        float logit = logits[tokens[at]];
        score->part[parts[at]] +=
            (double)row_logsumexp(logits, n_vocab) - (double)logit;
        if (at >= s->prompts[i] && row_max(logits, n_vocab) > logit) answered = false;
    }
    return answered;
}

static void divide(StoriesScore *score, const Stories *s) {
    double n = (double)s->n;
    score->right /= n;
    score->above = -s->entropy;
    for (size_t p = 0; p < STORY_PARTS; p++) {
        score->part[p] /= n;
        score->above += score->part[p];
    }
}

StoriesScore stories_score(const Stories *s, const Gpt2 *model, Tape *tape) {
    enum { ROWS = 16 };
    size_t length = s->longest - 1, n_vocab = model->config.n_vocab;
    int *inputs = checked_alloc(ROWS * length, sizeof *inputs),
        *targets = checked_alloc(length, sizeof *targets);
    StoriesScore score = {0};
    tape_use_for_inference(tape);
    for (size_t first = 0; first < s->n; first += ROWS) {
        size_t rows = s->n - first < ROWS ? s->n - first : ROWS;
        for (size_t r = 0; r < rows; r++)
            stories_row(s, first + r, false, length, inputs + r * length, targets);
        tape_reset(tape);
        Gpt2Input input = {.tokens = inputs, .batch = rows, .length = length};
        const float *logits = gpt2_logits(tape, model, &input)->data;
        for (size_t r = 0; r < rows; r++)
            score.right +=
                add_score(&score, s, first + r, logits + r * length * n_vocab, n_vocab);
    }
    tape_use_for_training(tape);
    free(inputs);
    free(targets);
    divide(&score, s);
    return score;
}

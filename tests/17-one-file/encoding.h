/* Stage 2 of exercise 17/gpt2: what mistakes give. */
#ifndef TESTS_17_ENCODING_H
#define TESTS_17_ENCODING_H

#include "run.h"
#include "words.h"

/* A directory whose vocabulary is yet to be written, and wrong. */
static const char *words_refused(const char *why) {
    Tiny m = tiny_model(WORD_V, 400, 1, 1, 4, 4);
    const char *directory = tiny_refused(why);
    tiny_config_and_weights(&m, directory);
    return directory;
}

static const char *words_model(const char *name, bool escaped) {
    Tiny m = tiny_model(WORD_V, 400, 1, 1, 4, 4);
    const char *directory = tiny_save(&m, name);
    words_save(directory, escaped);
    return directory;
}

enum { MOST_TEXTS = 10 };

/* Of known mistakes the first that gives what was written for all texts [n]. */
static void check_words(const char *directory, const char *const *texts, size_t n) {
    static const struct {
        WordVariation variation;
        const char *when;
    } mistakes[] = {
        {NO_MERGES, "bytes are never merged"},
        {FIRST_LINE_SKIPPED, "the first line of merges.txt is always skipped: only a "
                             "line #version is"},
        {RANK_BY_TEXT, "merges are ranked by the order of their texts, not of the "
                       "lines of merges.txt"},
        {LAST_MERGE_FIRST, "the last line of merges.txt is merged first"},
        {SMALLEST_ID, "the pair whose token has the smallest id is merged first, not "
                      "the one with the lowest line of merges.txt"},
        {LEFTMOST, "the leftmost pair is merged first, not the one with the lowest "
                   "line of merges.txt"},
        {LONGEST, "the longest token of the vocabulary is taken, again and again: "
                  "merges.txt decides, pair by pair"},
        {ANY_TOKEN, "any two that are a token together are merged, by its id: only "
                    "pairs of merges.txt are, by their line"},
        {NO_WORDS, "the text is not cut into words first: no merge crosses a cut"},
        {SPACE_ALONE, "the space before a word is no part of it"},
        {SPACES_TOGETHER, "white space before a word is one piece: its last character "
                          "is left to the word"},
        {TAB_BEFORE_WORD, "a tab before a word is a part of it: only a space is"},
        {NO_CONTRACTIONS, "'s 't 're 've 'm 'll 'd are not cut off first"},
        {CONTRACTIONS_OF_CAPITALS, "'S is cut off like 's: only small letters are"},
        {DIGITS_ARE_LETTERS, "letters and digits stand in one word"},
        {SIGNS_ALONE, "each sign is a word of its own: they stay together"},
        {HIGH_BYTES_ARE_SIGNS, "bytes from 128 on are no letters"},
        {IDS_OF_BYTES, "a byte's id is taken to be its value: vocab.json has it"}};
    char *outs[MOST_TEXTS];
    size_t wrong = n;
    for (size_t i = n; i-- > 0;) {
        outs[i] = OUTPUT(directory, "-p", texts[i], "-n", "0");
        if (strcmp(outs[i], words_written(texts[i], EXACT)) != 0) wrong = i;
    }
    if (wrong == n) return;
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; m++) {
        size_t same = 0;
        while (same < n &&
               strcmp(outs[same], words_written(texts[same], mistakes[m].variation)) ==
                   0)
            same++;
        CHECK(same < n, "the ids of \"%s\" are wrong: this is what you get when %s",
              texts[wrong], mistakes[m].when);
    }
    outs[wrong][strcspn(outs[wrong], "\n")] = 0;
    CHECK(false, "the ids of \"%s\" are %.200s, expected %.200s", texts[wrong],
          outs[wrong], words_written(texts[wrong], EXACT));
}

#define CHECK_WORDS(directory, ...)                                                    \
    check_words(directory, (const char *const[]){__VA_ARGS__},                         \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

#endif

/* Stage 2 of exercise 17/gpt2: what mistakes give. */
#ifndef TESTS_17_ENCODING_H
#define TESTS_17_ENCODING_H

#include "run.h"
#include "words.h"

static const char *words_model(const char *name, bool escaped) {
    Tiny m = tiny_model(WORD_V, 400, 1, 1, 4, 4);
    const char *directory = tiny_save(&m, name);
    words_save(directory, escaped);
    return directory;
}

/* Of known mistakes the first that gives what was written. */
static void check_words(const char *directory, const char *text) {
    static const struct {
        WordVariation variation;
        const char *when;
    } mistakes[] = {
        {NO_MERGES, "bytes are never merged"},
        {RANK_BY_TEXT, "merges are ranked by the order of their texts, not of the "
                       "lines of merges.txt"},
        {LAST_MERGE_FIRST, "the last line of merges.txt is merged first"},
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
        {NO_CONTRACTIONS, "'s 't 're 've 'm 'll 'd are not cut off first"},
        {CONTRACTIONS_OF_CAPITALS, "'S is cut off like 's: only small letters are"},
        {DIGITS_ARE_LETTERS, "letters and digits stand in one word"},
        {SIGNS_ALONE, "each sign is a word of its own: they stay together"},
        {HIGH_BYTES_ARE_SIGNS, "bytes from 128 on are no letters"},
        {IDS_OF_BYTES, "a byte's id is taken to be its value: vocab.json has it"}};
    char *out = OUTPUT(directory, "-p", text, "-n", "0");
    const char *right = words_written(text, EXACT);
    if (strcmp(out, right) == 0) return;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        CHECK(strcmp(out, words_written(text, mistakes[i].variation)) != 0,
              "the ids are wrong: this is what you get when %s", mistakes[i].when);
    CHECK(false, "the ids of \"%s\" are %.200s, expected %.200s", text, out, right);
}

#endif

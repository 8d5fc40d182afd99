/* Exercise 18/split_digits: SmolLM2's pre-tokenizer, which gives every digit a token of
 * its own, so that a number looks the same wherever its digits stand.
 *
 * The text is first cut into pieces: each number (any character of Unicode's category
 * N, such as 7, an Arabic digit or a fraction: number_length in nfc.h) is a piece, and
 * so is everything between two of them. Then GPT-2's pattern cuts each of the other
 * pieces on its own, as if there were no text behind it:
 *
 *     "won 12  medals 3 times" -> [won][ ][1][2][ ][ medals][ ][3][ times]
 *
 * A blank in front of a digit is a word, not a part of the digit's word; and of two
 * blanks in front of a digit neither is left to the word behind them: "a  1" ->
 * [a][  ][1]. */
#ifndef CHAPTER_18_SPLIT_DIGITS_H
#define CHAPTER_18_SPLIT_DIGITS_H

#include "09-tokenizer/pretokenize.h"
#include "18-llama/nfc.h"

/* The next word of the walk: *word, a place in walk->text, and its *n bytes; walk->at
 * is then behind it. False, and nothing is written, when none is left.
 *
 * walk->end is where the piece ends that the walk is in. Where at == end a new piece
 * begins; so it is at the start, where both are 0. To find where it ends read
 * walk->readable, which has the text's n bytes and is valid UTF-8 (utf8_length). Look
 * for the end once a piece, not once a word: a text may be one piece of a million
 * words. words_match (pretokenize.h) matches GPT-2's pattern from at, and sees the text
 * up to end. */
bool split_digits(WordWalk *walk, const char **word, size_t *n);

#endif

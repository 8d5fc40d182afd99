/* GPT-2's letters for bytes: in vocab.json and merges.txt every byte is written as one printable character.
 *
 * Bytes that are printable in Latin-1 stand for themselves; the others, in order, are U+0100, U+0101 ...
 * So a blank is U+0120 and a line feed U+010A, and both files are plain text whose columns
 * a blank can separate. */
#ifndef CHAPTER_09_VOCABULARY_H
#define CHAPTER_09_VOCABULARY_H

/* The character that stands for the byte. */
int byte_letter(int byte);

/* The byte with that number in the order of the table: the printable ones first. GPT-2's ids 0 to 255. */
int byte_in_order(int number);

#endif

/* Tests of exercise 18/split_digits: short texts cut by hand, what common mistakes make
 * of them, and how the work grows. */
#include "18-llama/split_digits.h"

#include <stdio.h>
#include <string.h>

#include "18-llama/llama_words.h"
#include "base/memory.h"
#include "base/unicode.h"
#include "check/check.h"
#include "math/random.h"

/* The linker leads the exercise's calls of number_length here (COUNTED_ in
 * tools/make/tests.mk). */
int __wrap_number_length(const char *text, size_t n);

static size_t calls; /* since the text's beginning */

int __wrap_number_length(const char *text, size_t n) {
    enum { FOR_EVER = 1000000 };
    CHECK(calls++ < FOR_EVER,
          "an endless loop: number_length was called %d times for a short text; "
          "utf8_length is 0 where no character begins, as inside of a number of two "
          "bytes",
          FOR_EVER);
    return number_length(text, n);
}

enum { LONGEST = 1000 };

/* Results of wrong splitters, in the words "this is what you get when ...". */
typedef struct {
    const char *when, *words;
} WrongWords;

/* A byte as one sees it. */
static size_t show(char *out, size_t room, const char *bytes, size_t n) {
    size_t used = 0;
    for (size_t i = 0; i < n && used + 8 < room;) {
        int length = utf8_visible_length(bytes + i, n - i);
        if (length > 0)
            used +=
                (size_t)snprintf(out + used, room - used, "%.*s", length, bytes + i);
        else
            used += (size_t)snprintf(out + used, room - used, "\\x%02x",
                                     (unsigned char)bytes[i]);
        i += length > 0 ? (size_t)length : 1;
    }
    return used;
}

/* The walk's next word, with all that holds for any of them. */
static bool step(WordWalk *walk, const char **word, size_t *n) {
    size_t before = walk->at;
    *word = NULL;
    *n = SIZE_MAX;
    crash_means("the text is read behind its end: it has walk->n bytes");
    bool found = split_digits(walk, word, n);
    CHECK(found || before == walk->n, "at byte %zu of %zu no word is left%s", before,
          walk->n, walk->text[before] ? "" : ": the text does not end at a zero byte");
    CHECK(found || (!*word && *n == SIZE_MAX),
          "at the end of the text a word is written: false writes nothing");
    if (!found) return false;
    CHECK(before < walk->n, "the text ends at byte %zu, and there is one more word",
          walk->n);
    CHECK(*word == walk->text + before,
          "the word at byte %zu begins %td bytes away from there%s", before,
          *word - (walk->text + before),
          *word == walk->readable + before
              ? ": it is a place in walk->readable, expected one in walk->text"
              : "");
    CHECK(*n > 0 && *n <= walk->n - before, "the word at byte %zu of %zu has %zu bytes",
          before, walk->n, *n);
    CHECK(walk->at == before + *n,
          "behind a word of %zu bytes at byte %zu the walk is at %zu, expected %zu", *n,
          before, walk->at, before + *n);
    CHECK(walk->end >= walk->at && walk->end <= walk->n,
          "the walk is at byte %zu, and its piece ends at %zu: expected at least that, "
          "and at most %zu",
          walk->at, walk->end, walk->n);
    return true;
}

/* All words of a text, each in brackets. */
static void cut(const char *text, size_t n, char out[LONGEST]) {
    const char *word;
    size_t used = 0, length;
    out[0] = 0;
    Pretokenizer *p = pretokenizer_create(&smollm_words);
    WordWalk walk = words_begin(p, text, n);
    char *readable = walk.readable;
    calls = 0;
    walk.readable = guarded_copy(readable, n, 1);
    while (step(&walk, &word, &length) && used + 40 < LONGEST) {
        out[used++] = '[';
        used += show(out + used, LONGEST - used - 2, word, length);
        out[used++] = ']';
        out[used] = 0;
    }
    free(walk.readable);
    walk.readable = readable;
    words_end(&walk);
    pretokenizer_free(p);
}

static void check_bytes(const char *text, size_t n, const char *expected,
                        const WrongWords *wrong, size_t n_wrong) {
    char got[LONGEST], shown[LONGEST];
    cut(text, n, got);
    if (strcmp(got, expected) == 0) return;
    shown[show(shown, LONGEST, text, n)] = 0;
    const char *when = NULL;
    for (size_t i = 0; i < n_wrong; i++)
        if (strcmp(got, wrong[i].words) == 0) when = wrong[i].when;
    CHECK(false, "\"%s\": got %s, expected %s%s%s", shown, got, expected,
          when ? "; this is what you get when " : "", when ? when : "");
}

#define CHECK_WORDS(text, expected, ...)                                               \
    do {                                                                               \
        const WrongWords wrong_[] = {{NULL, NULL}, ##__VA_ARGS__};                     \
        check_bytes(text, sizeof text - 1, expected, wrong_ + 1,                       \
                    sizeof wrong_ / sizeof *wrong_ - 1);                               \
    } while (0)

static const char together[] = "digits that stand together stay together";
static const char leads[] = "the blank in front of a digit goes with it";
static const char sees[] =
    "the pattern sees the text behind its piece: it must end at walk->end, and there "
    "leaves no blank to the digit";
static const char ascii[] = "only 0 to 9 are numbers";
static const char bytes_of[] = "a number is one byte: it is one character";

Test(split_digits, digits_one_by_one, .timeout = 10) {
    CHECK_WORDS("2024", "[2][0][2][4]", {together, "[2024]"});
    CHECK_WORDS("7", "[7]");
}

Test(split_digits, text_without_digits, .timeout = 10) {
    CHECK_WORDS("Hello, world!", "[Hello][,][ world][!]",
                {"a piece is one word: words_match cuts it", "[Hello, world!]"});
    CHECK_WORDS("it's  two\nlines ", "[it]['s][ ][ two][\\x0a][lines][ ]");
}

Test(split_digits, digits_between_letters, .timeout = 10) {
    CHECK_WORDS("a1b", "[a][1][b]",
                {"what is behind the last digit is lost, or joined", "[a][1b]"});
    CHECK_WORDS("x12y3", "[x][1][2][y][3]", {together, "[x][12][y][3]"});
    CHECK_WORDS("3.14", "[3][.][1][4]", {together, "[3][.][14]"});
}

Test(split_digits, a_blank_is_a_word, .timeout = 10) {
    CHECK_WORDS("won 12 medals", "[won][ ][1][2][ medals]",
                {leads, "[won][ 1][2][ medals]"}, {together, "[won][ ][12][ medals]"},
                {"digits are cut as GPT-2 does", "[won][ 12][ medals]"});
}

/* GPT-2's pattern leaves the last of several blanks to the word behind them. Behind
 * this piece there is none. */
Test(split_digits, the_pattern_sees_its_piece_alone, .timeout = 10) {
    CHECK_WORDS("a  1", "[a][  ][1]", {sees, "[a][ ][ ][1]"}, {leads, "[a][ ][ 1]"});
    CHECK_WORDS("a \n1 b", "[a][ \\x0a][1][ b]", {sees, "[a][ ][\\x0a][1][ b]"});
    CHECK_WORDS("(5", "[(][5]");
}

Test(split_digits, pieces_begin_anew, .timeout = 10) {
    CHECK_WORDS(
        "1'2s 3't", "[1]['][2][s][ ][3]['t]",
        {"what stands behind a number is looked at with it", "[1]['][2s][ ][3]['t]"});
    CHECK_WORDS("4 5", "[4][ ][5]", {leads, "[4][ 5]"});
}

/* Arabic digits, a fraction, a superscript, a Roman numeral, a circled number. */
Test(split_digits, numbers_of_any_script, .timeout = 10) {
    CHECK_WORDS("\xd9\xa3\xd9\xa4", "[\xd9\xa3][\xd9\xa4]",
                {ascii, "[\xd9\xa3\xd9\xa4]"},
                {bytes_of, "[\\xd9][\\xa3][\\xd9][\\xa4]"});
    CHECK_WORDS("x\xc2\xb2 \xc2\xbd\xe2\x85\xa7",
                "[x][\xc2\xb2][ ][\xc2\xbd][\xe2\x85\xa7]",
                {ascii, "[x][\xc2\xb2][ \xc2\xbd\xe2\x85\xa7]"});
}

/* The next number is looked for character by character: the bytes inside of one are
 * none. */
Test(split_digits, other_scripts_between_digits, .timeout = 10) {
    CHECK_WORDS("\xe6\x97\xa5\xe6\x9c\xac"
                "3\xe6\x97\xa5",
                "[\xe6\x97\xa5\xe6\x9c\xac][3][\xe6\x97\xa5]");
    CHECK_WORDS("\xc3\xa9t\xc3\xa9 1\xc3\xa9", "[\xc3\xa9t\xc3\xa9][ ][1][\xc3\xa9]");
}

/* Such bytes are 0x01 in walk->readable, and themselves in the word. */
Test(split_digits, bytes_that_are_no_utf8, .timeout = 10) {
    CHECK_WORDS("a\xff"
                "1",
                "[a][\\xff][1]");
    CHECK_WORDS("\xd9"
                "1\xe2\x85",
                "[\\xd9][1][\\xe2\\x85]");
}

Test(split_digits, a_zero_byte_is_text, .timeout = 10) {
    CHECK_WORDS("a\0001\000b2", "[a][\\x00][1][\\x00][b][2]");
}

/* The words together are the text, and only numbers are cut off more than the pattern
 * cuts: a plain cut of random texts. */
Test(split_digits, random_texts, .timeout = 10) {
    static const char *const parts[] = {
        "1", " ",        "a",  "7", "\n",           "\xc2\xbd", "'s",
        "!", "\xd9\xa3", "  ", "b", "\xe6\x97\xa5", "\xff"};
    enum { N_PARTS = sizeof parts / sizeof *parts };
    Random random = random_create(3);
    Pretokenizer *gpt2 = pretokenizer_create(&gpt2_words);
    for (int trial = 0; trial < 300; trial++) {
        char text[100], expected[LONGEST], got[LONGEST];
        size_t n = 0, used = 0, length, n_parts = random_below(&random, 16);
        for (size_t i = 0; i < n_parts; i++)
            n += (size_t)sprintf(text + n, "%s", parts[random_below(&random, N_PARTS)]);
        for (size_t at = 0, end; at < n; at = end) {
            int number = number_length(text + at, n - at);
            end = at + (size_t)(number ? number : 1);
            while (!number && end < n && !number_length(text + end, n - end)) end++;
            WordWalk piece = words_begin(gpt2, text + at, end - at);
            const char *word;
            while (words_next(&piece, &word, &length)) {
                expected[used++] = '[';
                used += show(expected + used, LONGEST - used, word, length);
                expected[used++] = ']';
            }
            words_end(&piece);
        }
        expected[used] = 0;
        cut(text, n, got);
        CHECK(strcmp(got, expected) == 0, "a random text: got %s, expected %s", got,
              expected);
    }
    pretokenizer_free(gpt2);
}

/* A book may have no digit at all. */
Test(split_digits, one_search_a_piece, .timeout = 20) {
    enum { WORDS = 3000, BYTES = 2 * WORDS };
    static char text[BYTES];
    const char *word;
    size_t n, found = 0;
    for (size_t i = 0; i < BYTES; i++) text[i] = i % 2 ? 'a' : ' ';
    Pretokenizer *p = pretokenizer_create(&smollm_words);
    WordWalk walk = words_begin(p, text, BYTES);
    calls = 0;
    while (split_digits(&walk, &word, &n) && found <= WORDS && calls < 10 * BYTES)
        found++;
    CHECK(calls < 10 * BYTES,
          "after %zu words of a text of %d bytes without a digit, number_length was "
          "called %zu times: the end of a piece is looked for once a piece, and "
          "walk->end remembers it",
          found, BYTES, calls);
    CHECK(found == WORDS, "%zu words of %d", found, WORDS);
    words_end(&walk);
    pretokenizer_free(p);
}

/* An attack on 09/bpe_train: random texts, of words that occur more often than an int
 * holds, too. After every merge all words are compared with words merged here, all
 * counts with counts made anew, and the best pair with the best of these counts; and
 * each word must be listed with the pairs that it holds. */
#include "09-tokenizer/bpe_train.h"

#include <inttypes.h>

#include "check/check.h"
#include "math/random.h"

enum { WORDS = 6, LONGEST = 9, LETTERS = 3, MOST_TOKENS = 20 };

typedef struct {
    int tokens[WORDS][LONGEST];
    BpeWord words[WORDS];
} Text;

static int64_t count_anew(const Text *text, int left, int right) {
    int64_t count = 0;
    for (size_t w = 0; w < WORDS; w++)
        for (size_t i = 0; i + 1 < text->words[w].n; i++)
            if (text->tokens[w][i] == left && text->tokens[w][i + 1] == right)
                count += text->words[w].times;
    return count;
}

static void check_listed(const PairCounts *pairs, const Text *text) {
    for (size_t w = 0; w < WORDS; w++) {
        for (size_t i = 0; i + 1 < text->words[w].n; i++) {
            bool listed = false;
            for (size_t p = 0; p < pairs->n && !listed; p++) {
                const PairCount *item = &pairs->items[p];
                if (item->pair.left != text->tokens[w][i] ||
                    item->pair.right != text->tokens[w][i + 1])
                    continue;
                for (size_t k = 0; k < item->n_words; k++)
                    listed |= item->words[k] == w;
            }
            CHECK(listed, "word %zu holds a pair and is not listed with it", w);
        }
    }
}

/* The best pair that counting anew gives. */
static int64_t check_counts(PairCounts *pairs, const Text *text, Pair *best) {
    int64_t most = 0;
    for (int left = 0; left < MOST_TOKENS; left++) {
        for (int right = 0; right < MOST_TOKENS; right++) {
            int64_t count = count_anew(text, left, right),
                    got = pair_counts_get(pairs, (Pair){left, right});
            CHECK(got == count, "(%d, %d): %" PRId64 ", expected %" PRId64, left, right,
                  got, count);
            if (count > most) {
                most = count;
                *best = (Pair){left, right};
            }
        }
    }
    return most;
}

static void check_text(Random *random, int64_t most) {
    Text text;
    PairCounts pairs = {0};
    for (size_t w = 0; w < WORDS; w++) {
        for (size_t i = 0; i < LONGEST; i++)
            text.tokens[w][i] = (int)(random_u32(random) % LETTERS);
        size_t n = random_u32(random) % (LONGEST + 1);
        text.words[w] =
            (BpeWord){text.tokens[w], n, most / (1 + random_u32(random) % 4)};
        bpe_count_word(&pairs, &text.words[w], w);
    }
    for (int merged = LETTERS; merged < MOST_TOKENS; merged++) {
        Pair best, got;
        int64_t count = check_counts(&pairs, &text, &best);
        check_listed(&pairs, &text);
        bool found = bpe_best_pair(&pairs, 2, &got);
        CHECK(found == (count >= 2),
              "a pair is found: %d, though the best occurs %" PRId64 " times", found,
              count);
        if (count < 2) break;
        CHECK(got.left == best.left && got.right == best.right,
              "the best is not (%d, %d)", best.left, best.right);
        for (size_t w = 0; w < WORDS; w++) {
            int right[LONGEST];
            size_t n = 0;
            for (size_t i = 0; i < text.words[w].n; i++) {
                const int *at = text.tokens[w] + i;
                bool here = i + 1 < text.words[w].n && at[0] == best.left &&
                            at[1] == best.right;
                right[n++] = here ? merged : at[0];
                i += here;
            }
            bpe_merge_word(&pairs, &text.words[w], w, best, merged);
            CHECK(text.words[w].n == n, "%zu tokens are left, expected %zu",
                  text.words[w].n, n);
            for (size_t i = 0; i < n; i++)
                CHECK(text.tokens[w][i] == right[i], "token %zu is wrong", i);
        }
    }
}

Test(attack, random_texts) {
    Random random = random_create(1);
    for (int round = 0; round < 100; round++)
        check_text(&random, round % 2 ? 4 : (int64_t)1 << 34);
}

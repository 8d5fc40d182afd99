/* An attack on 09/bpe_encode: random words and merges against the given encoder that
 * scans, in arrays that end where the word does; and one long word, on which an encoder
 * that looks through the whole word for each merge does not come to an end. */
#include "09-tokenizer/bpe_encode.h"

#include "09-tokenizer/bpe_scan.h"
#include "check/check.h"
#include "check/guarded.h"
#include "base/memory.h"
#include "math/random.h"

static void check_word(Random *random, const MergeTable *merges, size_t n) {
    int *word = guarded_alloc(n, sizeof *word),
        *right = checked_alloc(n, sizeof *right);
    BpeScratch scratch = {.next = guarded_alloc(n, sizeof *scratch.next),
                          .previous = guarded_alloc(n, sizeof *scratch.previous)};
    for (size_t i = 0; i < n; i++) word[i] = right[i] = (int)(random_u32(random) % 3);
    size_t left = bpe_encode(word, n, merges, &scratch),
           expected = bpe_encode_by_scanning(right, n, merges);
    CHECK(left == expected, "%zu tokens are left, expected %zu", left, expected);
    for (size_t i = 0; i < left; i++)
        CHECK(word[i] == right[i], "token %zu is %d, expected %d", i, word[i],
              right[i]);
    free(word);
    free(right);
    free(scratch.next);
    free(scratch.previous);
    heap_free(&scratch.queue);
}

Test(attack, random_words) {
    Random random = random_create(1);
    for (int round = 0; round < 3000; round++) {
        MergeTable merges = {0};
        for (int new = 3; new < 12; new ++) {
            int left = (int)(random_u32(&random) % (uint32_t) new);
            /* some pairs give the token of an older merge */
            int merged = new % 4 ? new : 3;
            merge_table_add(&merges, left, (int)(random_u32(&random) % (uint32_t) new),
                            merged);
        }
        check_word(&random, &merges, (size_t)(round % 100));
    }
}

/* Tokens that grow to both sides: 0 1 2 3 4 5 again and again becomes 7 9 7 9 and so
 * on. */
Test(attack, long_word_of_short_ones) {
    enum { N = 9000 };
    MergeTable merges = {0};
    BpeScratch scratch = {0};
    int *word = checked_alloc(N, sizeof *word);
    for (int i = 0; i < N; i++) word[i] = i % 6;
    merge_table_add(&merges, 0, 1, 6);
    merge_table_add(&merges, 6, 2, 7);
    merge_table_add(&merges, 4, 5, 8);
    merge_table_add(&merges, 3, 8, 9);
    bpe_scratch_reserve(&scratch, N);
    CHECK(bpe_encode(word, N, &merges, &scratch) == N / 3,
          "three tokens are not one everywhere");
    for (int i = 0; i < N / 3; i++)
        CHECK(word[i] == (i % 2 ? 9 : 7), "token %d is %d", i, word[i]);
}

Test(attack, long_word) {
    enum { N = 1 << 16 };
    MergeTable merges = {0};
    BpeScratch scratch = {0};
    int *word = checked_alloc(N, sizeof *word);
    for (int i = 0; i < 16; i++) merge_table_add(&merges, i, i, i + 1);
    bpe_scratch_reserve(&scratch, N);
    CHECK(bpe_encode(word, N, &merges, &scratch) == 1 && word[0] == 16,
          "2^16 equal tokens are not one");
}

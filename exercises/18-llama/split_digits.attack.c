/* Your attack on 18/split_digits: tests that right code passes and wrong code does not.
 * The contract is in chapters/18-llama/split_digits.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-18 EX=split_digits */
#include "18-llama/split_digits.h"

#include "18-llama/llama_words.h"
#include "check/check.h"

Test(attack, one_number) {
    ATTACK_TODO("18/split_digits");
    const char *word;
    size_t n;
    WordWalk walk = words_begin(pretokenizer_create(&smollm_words), "a 12", 4);
    split_digits(&walk, &word, &n);
    /* Which word should this have been, and where is the walk now? */
    words_end(&walk);
}

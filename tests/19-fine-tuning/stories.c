/* Tests of stories as examples, and of their score. */
#include "19-fine-tuning/stories.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "base/memory.h"
#include "check/check.h"
#include "text/corpus.h"

/* In bytes, so that tokens are letters. */
static Stories bytes_of(bool sister) {
    Tokenizer *bytes = tokenizer_bytes();
    Stories s = stories_create(bytes, 3, 5000, sister);
    tokenizer_free(bytes);
    return s;
}

Test(stories, spell_the_corpus, .timeout = 60) {
    Stories s = bytes_of(false);
    CorpusText text = corpus_generate(3, 5000);
    CHECK(s.n == text.stories, "%zu stories, expected %zu", s.n, text.stories);
    CHECK_NUMBER("the entropy", s.entropy, text.nll / (double)text.stories, 1e-6);
    const char *line = text.text;
    for (size_t i = 0; i < s.n; i++) {
        size_t bytes = (size_t)(strchr(line, '\n') + 1 - line);
        const int *tokens = s.tokens + s.starts[i];
        CHECK(s.starts[i + 1] - s.starts[i] == bytes + 1 && tokens[0] == '\n',
              "story %zu is no line between two line feeds", i);
        for (size_t j = 0; j < bytes; j++)
            CHECK(tokens[j + 1] == line[j], "story %zu, byte %zu", i, j);
        CHECK(tokens[s.prompts[i] - 1] == '?', "prompt %zu does not end with ?", i);
        line += bytes;
    }
    free(text.text);
    stories_free(&s);
}

static void check_parts(bool sister) {
    Stories s = bytes_of(sister);
    size_t names = 0;
    for (size_t i = 0; i < s.n; i++) {
        const int *tokens = s.tokens + s.starts[i];
        const StoryPart *parts = s.parts + s.starts[i];
        size_t n = s.starts[i + 1] - s.starts[i], first = 1;
        while (tokens[first] != ' ') first++;
        for (size_t j = 0; j < n; j++) {
            bool in_first = j >= 1 && j < first;
            CHECK((parts[j] == FIRST_NAME) == in_first, "story %zu, byte %zu", i, j);
            names += parts[j] == OTHER_NAMES;
        }
    }
    CHECK(names > s.n, "%zu letters of other names in %zu stories", names, s.n);
    stories_free(&s);
}

Test(stories, parts, .timeout = 60) {
    check_parts(false);
    check_parts(true);
}

Test(stories, rows, .timeout = 60) {
    Stories s = bytes_of(true);
    size_t length = s.longest, n = s.starts[2] - s.starts[1];
    int *inputs = checked_alloc(length, sizeof *inputs),
        *targets = checked_alloc(length, sizeof *targets);
    size_t all = stories_row(&s, 1, false, length, inputs, targets);
    CHECK(all == n - 1, "%zu targets of a story of %zu tokens", all, n);
    for (size_t i = 0; i + 1 < n; i++)
        CHECK(targets[i] == inputs[i + 1] || i + 2 == n, "target %zu", i);
    CHECK(targets[n - 2] == '\n' && targets[n - 1] == IGNORE_TARGET,
          "the end of the row");
    size_t answer = stories_row(&s, 1, true, length, inputs, targets);
    CHECK(answer == n - s.prompts[1], "%zu targets of the answer", answer);
    free(inputs);
    free(targets);
    stories_free(&s);
}

/* A model of zeros gives each of its tokens the same probability. */
Test(stories, score_of_guessing, .timeout = 60) {
    Stories s = bytes_of(false);
    Tokenizer *bytes = tokenizer_bytes();
    Gpt2Config config = gpt2_config(tokenizer_n_vocab(bytes), s.longest, 1, 1, 8);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, NULL);
    Tape tape = tape_for_training(1);
    StoriesScore score = stories_score(&s, model, &tape);
    double targets = (double)(s.starts[s.n] - s.n) / (double)s.n,
           cost = targets * log((double)config.n_vocab);
    CHECK_NUMBER("nats a story above the entropy", score.above, cost - s.entropy, 1e-5);
    CHECK_NUMBER("its parts",
                 score.part[FIRST_NAME] + score.part[OTHER_NAMES] + score.part[NO_NAME],
                 cost, 1e-5);
    CHECK(tape.recording, "the tape is not turned back for training");
    tape_free(&tape);
    gpt2_free(model);
    tokenizer_free(bytes);
    stories_free(&s);
}

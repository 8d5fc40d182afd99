/* Tests of the built-in language as words. */
#include "08-transformer-block/experiments/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/check.h"

Test(words, written_again_they_are_the_stories, .timeout = 10) {
    Words w = words_create(1, 1 << 18, NULL), same = words_create(2, 1 << 12, &w);
    cr_assert_eq(same.n_words, w.n_words);
    char *text = checked_alloc(strlen(same.text) + 1, 1);
    size_t bytes = 0;
    for (size_t i = 0; i < same.n; i++) {
        bool first = i == 0 || same.tokens[i - 1] == same.end;
        bytes += words_write(text + bytes, &same, same.tokens[i], first);
    }
    /* each line is one of the language's, with " puts " in it */
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        CHECK(strstr(line, " puts "), "'%s' is another kind of story", line);
        CHECK(strstr(same.text, line), "'%s' is no line of the text", line);
    }
    cr_assert_gt(bytes, 100);
    free(text);
    words_free(&same);
    words_free(&w);
}
